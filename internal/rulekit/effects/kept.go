package effects

import (
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// keeps returns which parameters may outlive a call of the function, with all that
// they lead to, and which others show whether they are nil. What it returns counts as kept.
func (e *Effects) keeps(fn *flow.Func) (kept, nils uint64) {
	var params []*types.Var
	sig := fn.Obj.Signature()
	if recv := sig.Recv(); recv != nil {
		params = append(params, recv)
	}
	params = slices.AppendSeq(params, sig.Params().Variables())
	nils = e.local[fn.Obj].Nils
	for i, v := range params {
		if i >= 63 || !code.HasPointers(v.Type()) || e.local[fn.Obj].Keeps&(1<<i) == 0 { // what is not kept stays so
			continue
		}
		fl := &flow.Flow{Func: fn, Source: flow.Source{Call: e.deep}, Deep: true, First: true}
		fl.Track(v)
		fl.Drain()
		switch {
		case fl.Outlives():
			kept |= 1 << i
		case fl.NilSeen:
			nils |= 1 << i
		}
	}
	return kept, nils
}

// Source is what facts and contracts tell of calls, for memory that holds no
// pointers, or whose pointers do not matter.
func (e *Effects) Source() flow.Source { return flow.Source{Call: e.given} }

// given returns what a call of fn does with a parameter.
func (e *Effects) given(fn *types.Func, index int, element bool) *flow.Summary {
	s := flow.Outside(fn, index, element)
	switch {
	case !e.lent(fn, index):
		return s
	case Standard(fn.Pkg().Path()): // the contract says it, if there is one
		return &flow.Summary{NilSeen: s.NilSeen || s.Keeps != "", CapSeen: true}
	}
	return &flow.Summary{NilSeen: e.Of(fn).Nils&(1<<bit(fn, index)) != 0, CapSeen: true}
}

// deep is given for memory that is followed with all that it leads to: a result, be
// it an error that wraps an argument, may lead there too.
func (e *Effects) deep(fn *types.Func, index int, element bool) *flow.Summary {
	s := e.given(fn, index, element)
	if s.Keeps == "" && !e.lent(fn, index) && (fn.FullName() == "fmt.Errorf" || flow.Aliasing(fn.Signature().Results()) != "") {
		return &flow.Summary{Keeps: "passed to " + code.CallName(fn) + ", whose result may refer to it"}
	}
	return s
}

// lent reports whether fn is known not to keep a parameter; -1 is the receiver.
func (e *Effects) lent(fn *types.Func, index int) bool {
	i := bit(fn, index)
	return i >= 0 && i < 63 && e.Of(fn).Keeps&(1<<i) == 0
}

// bit is the bit of a parameter in a fact.
func bit(fn *types.Func, index int) int {
	if fn.Signature().Recv() != nil {
		return index + 1
	}
	return index
}
