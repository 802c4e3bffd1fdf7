package prove

import (
	"fmt"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A ParamKey names a parameter of a function; -1 is the receiver.
type ParamKey struct {
	Fn    string
	Index int
}

// Func presents a function the way a flow sees it.
func (f *Function) Func() *flow.Func {
	return &flow.Func{Obj: f.Obj, Decl: f.Decl, Body: f.Decl.Body, Info: f.Info(), Tree: &f.File.Tree}
}

// Flow returns a flow through fn that follows calls into the loaded program.
func (p *Flows) Flow(fn *Function) *flow.Flow {
	return &flow.Flow{Func: fn.Func(), Source: flow.Source{Call: p.effect}}
}

// FlowOf traces the slice or pointer in v, a parameter or local variable of fn.
func (p *Flows) FlowOf(fn *Function, v *types.Var) *flow.Flow {
	return flow.Of(fn.Func(), flow.Source{Call: p.effect}, v)
}

// effect returns what a call of fn does with its parameter. element says that
// the slice is one of the values of a variadic parameter.
func (p *Flows) effect(fn *types.Func, index int, element bool) *flow.Summary {
	if !code.IsInterfaceMethod(fn) && p.InModule(fn) {
		if element {
			return &flow.Summary{Keeps: "passed to " + fn.Name() + " in a variadic list"}
		}
		return p.summarize(fn, index)
	}
	return flow.Outside(fn, index, element)
}

// summarize follows a parameter through the body of a function.
func (p *Flows) summarize(fn *types.Func, index int) *flow.Summary {
	fn = fn.Origin()
	key := ParamKey{fn.FullName(), index}
	if s := p.summaries[key]; s != nil {
		return s
	}
	decl := p.Function(fn)
	if decl == nil {
		return &flow.Summary{Keeps: "passed to " + code.CallName(fn) + ", which has no Go body"}
	}
	// While it is being worked out, a recursive call counts as keeping it.
	p.summaries[key] = &flow.Summary{Keeps: "passed to " + fn.Name() + ", which calls itself"}
	sig := fn.Signature()
	v := sig.Recv()
	if index >= 0 {
		v = sig.Params().At(index)
	}
	s := &flow.Summary{Assumed: p.sameElsewhere(decl)}
	if v.Name() != "" && v.Name() != "_" {
		fl := p.FlowOf(decl, v)
		s.Results, s.NilSeen, s.CapSeen, s.Extends = fl.Results, fl.NilSeen, fl.CapSeen, len(fl.Extends) > 0
		s.Assumed = append(s.Assumed, fl.Assumed...)
		if len(fl.Leaks) > 0 {
			s.Keeps = fmt.Sprintf("passed to %s, where it is %s", fn.Name(), fl.Leaks[0].Why)
		}
	}
	p.summaries[key] = s
	return s
}
