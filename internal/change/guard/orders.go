package guard

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Names of what goroutines wait for each other by, as leadsTo has them.
const (
	condWait      = "sync.Cond).Wait"
	condSignal    = "sync.Cond).Signal"
	condBroadcast = "sync.Cond).Broadcast"
	onceDo        = "sync.Once).Do"
)

// orders names what made goroutines wait for each other, stop, or do something once, and
// does not any more: a call that is driven has nobody beside it, and its context never ends.
func (p losses) orders(u, old *unit) {
	if u.fn == nil || old.fn == nil {
		return
	}
	was, now := p.base.leadsTo(old), p.cand.leadsTo(u)
	lost := func(name string) bool { return was[name] && !now[name] }
	switch {
	case len(u.uses(condBroadcast)) < len(old.uses(condBroadcast)) && len(u.uses(condSignal)) > len(old.uses(condSignal)):
		p.add(model.SuspectSafeguard, u.uses(condSignal)[0].node, u.name+" wakes one that waits where the base woke all")
	case (was[condBroadcast] || was[condSignal]) && !now[condBroadcast] && !now[condSignal] && p.cand.someUses(condWait):
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" woke what waits in the base, and does not now")
	case (lost("context.Context).Done") || lost("context.Context).Err")) && !oneIs(now, asksContext):
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" ended with its context in the base, and does not now")
	case lost(onceDo) && !oneIs(now, isOrder) && u.writesState():
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" did something once for all goroutines in the base, and now each may do it")
	}
}

// asksContext reports whether a name is a method of contexts, or a function that is told when one ends.
func asksContext(name string) bool {
	return strings.HasPrefix(name, "context.") && !hasAnyPrefix(name, "context.Background", "context.TODO", "context.Context).Value", "context.WithValue") && name != "context.Context"
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
