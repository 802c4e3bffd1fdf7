package pools

import (
	"fmt"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A pooledResult is an append-style call with a nil destination, such as h.Sum(nil), in a function that has no receiver
// to keep storage in.
type pooledResult struct {
	prove.NilAppend
	fn *prove.Function
}

// resultsAt returns those on a line.
func resultsAt(p *prove.Program, fn *prove.Function, line int) (found []*pooledResult) {
	if recv := fn.Obj.Signature().Recv(); recv != nil {
		if _, pointer := recv.Type().(*types.Pointer); pointer {
			return nil // a field of the receiver does better
		}
	}
	for _, c := range p.NilAppends(fn, line) {
		found = append(found, &pooledResult{c, fn})
	}
	return found
}

func (r *pooledResult) propose(p *prove.Program) (*model.Change, *prove.Reason) {
	f := r.fn.File
	stmt := f.Stmt(r.Call)
	switch {
	case stmt == nil || code.StmtList(f.Parent(stmt)) == nil:
		return nil, prove.Refuse("the call stands in the head of a statement")
	case f.Loop(r.Call) != nil:
		return nil, prove.Refuse("it is called in a loop: a deferred call would put it back only when the function returns")
	case code.Jumps(r.fn.Decl.Body):
		return nil, prove.Refuse(r.fn.Obj.Name() + " uses goto")
	}
	fl := prove.NewDispatch(p, f.Pkg, nil).Flow(r.fn)
	fl.Expr(r.Call)
	fl.Drain()
	if why := p.Kept(fl); why != nil {
		return nil, why
	}
	if fl.CapSeen {
		return nil, prove.Refuse("its capacity is asked for")
	}
	if why := heldBefore(fl, stmt, nil); why != nil {
		return nil, why
	}
	fl.Assume([]string{r.Says})
	name, local := poolName(p, r.fn, r.Target.Name()), code.FirstFree(r.fn.Decl, "scratch", "pooled", "array")
	if name == "" || local == "" {
		return nil, prove.Refuse("no name is free for the pool")
	}
	h := &holder{name: name, elem: fmt.Sprintf("[%d]byte", r.Bound), made: fmt.Sprintf("new([%d]byte)", r.Bound),
		says: fmt.Sprintf("%s holds what %s gets from %s, between its calls.", name, r.fn.Obj.Name(), r.Target.Name())}
	edits, why := h.declare(p, r.fn)
	if why != nil {
		return nil, why
	}
	at, arg := p.Offset(stmt.Pos()), r.Call.Args[0]
	edits = append(edits, p.Edit(f, at, at, fmt.Sprintf("%[1]s := %[2]s.Get().(*%[3]s)\ndefer %[2]s.Put(%[1]s)\n", local, name, h.elem)),
		p.Put(f, arg.Pos(), arg.End(), local+"[:0]"))
	kept := model.Obligation{Text: "nothing refers to the result after the call", How: "proven", Why: "it is only looked at, copied and passed to functions that do not keep it"}
	return p.Change(r.fn, edits, model.Change{
		Kind:  "pool",
		Title: fmt.Sprintf("%s: append the result of %s's %s to an array of a pool", f.Pkg.Name, r.fn.Obj.Name(), r.Target.Name()),
		Obligations: []model.Obligation{prove.Assuming(kept, fl.Assumed),
			{Text: "no call sees what another has left in it", How: "proven", Why: "what is appended is all that is looked at"},
			lost(true), ready()},
		Retains: perP(fmt.Sprintf("%d bytes", r.Bound)),
	})
}
