package guard

import (
	"go/ast"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Names of what goroutines wait for each other by, as leadsTo has them.
const (
	condWait      = "sync.Cond).Wait"
	condSignal    = "sync.Cond).Signal"
	condBroadcast = "sync.Cond).Broadcast"
	onceDo        = "sync.Once).Do"
	contextDone   = "context.Context).Done"
)

// orders names what made goroutines wait for each other, stop, or do something once, and
// does not any more: a call that is driven has nobody beside it, and its context never ends.
// was and now are what leadsTo says of both.
func (p losses) orders(u, old *unit, was, now map[string]bool) {
	if u.fn == nil || old.fn == nil {
		return
	}
	lost := func(name string) bool { return was[name] && !now[name] }
	switch {
	case len(u.uses(condBroadcast)) < len(old.uses(condBroadcast)) && len(u.uses(condSignal)) > len(old.uses(condSignal)):
		p.add(model.SuspectSafeguard, u.uses(condSignal)[0].node, u.name+" wakes one that waits where the base woke all")
	case (was[condBroadcast] || was[condSignal]) && !now[condBroadcast] && !now[condSignal] && p.cand.someUses(condWait):
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" woke what waits in the base, and does not now")
	case (lost(contextDone) || lost("context.Context).Err")) && !oneIs(now, asksContext), lost(contextDone) && old.waitsForContext() && !now["context.AfterFunc"]:
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" ended with its context in the base, and does not now")
	case lost(onceDo) && !oneIs(now, isOrder) && u.writesState():
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" did something once for all goroutines in the base, and now each may do it")
	}
}

// asksContext reports whether a name is a method of contexts, or a function that is told when one ends.
func asksContext(name string) bool {
	return strings.HasPrefix(name, "context.") && !hasAnyPrefix(name, "context.Background", "context.TODO", "context.Context).Value", "context.WithValue") && name != "context.Context"
}

// waitsForContext reports whether a unit waits for something or for the end of a context: to ask for its
// error does not end that.
func (u *unit) waitsForContext() bool {
	for s := range all[*ast.SelectStmt](u) {
		some, otherwise := false, false
		for _, c := range s.Body.List {
			comm, _ := c.(*ast.CommClause)
			otherwise = otherwise || comm.Comm == nil
			some = some || comm.Comm != nil && code.Any(comm.Comm, func(c *ast.CallExpr) bool { return calleeName(u.info(), c) == "("+contextDone })
		}
		if some && !otherwise {
			return true
		}
	}
	return false
}

// isOrder reports whether a name, as leadsTo has it, puts goroutines in order.
func isOrder(name string) bool { return hasAnyPrefix(name, "sync.", "sync/atomic.") }

// uses returns the places where a unit itself uses an object, by a name as leadsTo has it.
func (u *unit) uses(name string) []fact { return u.facts["use (*"+name] }

// someUses reports whether a unit of the program uses an object.
func (p *program) someUses(name string) bool {
	for _, u := range p.units {
		if len(u.uses(name)) > 0 {
			return true
		}
	}
	return false
}

// writesState reports whether a unit writes what outlives its calls.
func (u *unit) writesState() bool {
	return oneIs(u.facts, func(key string) bool { return strings.HasPrefix(key, "write ") })
}
