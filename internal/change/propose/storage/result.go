package storage

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
)

// ScratchResult gives an append-style call whose result stays in the method an
// array in the receiver's struct to append to.
var ScratchResult = prove.Transformation{
	Name:     "scratch-for-result",
	Doc:      "An append-style call with a nil destination, such as h.Sum(nil), whose result is only looked at within the method appends to a field of the receiver instead.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "scratch-for-result", "BenchmarkValid", "allocs", "no allocation for a checksum that is only compared", 0),
	// It looks at the calls on the target's line and on those of the module's
	// frames around it.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, c := range s.NilAppends(s.Fn, s.At.Line) {
			if storedDirectly(s.Program, s.Fn, c.Call) { // which is the case of reuse
				continue
			}
			ch, why := proposeScratchResult(s.Program, s.Fn, c)
			s.Add(types.ExprString(c.Call)+" gets a new slice every time", ch, why)
		}
	}),
}

func storedDirectly(p *prove.Program, fn *prove.Function, call *ast.CallExpr) bool {
	for n := fn.File.Parent(call); n != nil; n = fn.File.Parent(n) {
		switch a := n.(type) {
		case *ast.SliceExpr, *ast.ParenExpr:
		case *ast.AssignStmt:
			return storedBy(p, fn, a) != nil
		default:
			return false
		}
	}
	return false
}

func proposeScratchResult(p *prove.Program, fn *prove.Function, c prove.NilAppend) (*model.Change, *prove.Reason) {
	m, why := p.MethodOf(fn)
	if why != nil {
		return nil, why
	}
	if why := receiverAt(p, m, c.Call); why != nil {
		return nil, why
	}
	fl := p.Flow(fn)
	fl.Expr(c.Call)
	fl.Drain()
	if why := p.Outlives(fl, fn.File, c.Call); why != nil {
		return nil, why
	}
	if fl.CapSeen {
		return nil, prove.Refuse("its capacity is asked for")
	}
	fl.Assume([]string{c.Says})
	obligations, why := argue(p, m, "the result", c.Call, fl)
	if why != nil {
		return nil, why
	}
	what := strings.TrimLeftFunc(strings.TrimPrefix(c.Target.Name(), "Append"), func(r rune) bool { return !unicode.IsLetter(r) })
	field := fieldName(p, m, m.Obj.Name(), what)
	if field == "" {
		return nil, prove.Refuse("no name is free for the field")
	}
	array := types.NewArray(types.Typ[types.Byte], int64(c.Bound))
	edits := []model.Edit{
		fieldEdit(p, m, field, fmt.Sprintf("[%d]byte", c.Bound), fmt.Sprintf("%s is scratch space of %s: nothing in it outlives a call.", field, m.Obj.Name())),
		p.Put(fn.File, c.Call.Args[0].Pos(), c.Call.Args[0].End(), m.Recv.Name()+"."+field+"[:0]"),
	}
	return p.Change(fn, edits, model.Change{
		Kind:        "scratch-for-result",
		Title:       fmt.Sprintf("%s: keep the result of %s's %s in %s", m.File.Pkg.Name, m.Obj.Name(), c.Target.Name(), m.Named.Obj().Name()),
		Obligations: obligations, Retains: retained(p, m, array),
	})
}
