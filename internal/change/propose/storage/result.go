package storage

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
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
		for _, c := range passingsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeScratchResult(s.Program, s.Fn, c)
			s.Add(types.ExprString(c.call)+" gets a new slice every time", ch, why)
		}
	}),
}

// A passing is such a call. Its storage needs at most bound bytes, else append
// makes new storage as before.
type passing struct {
	call  *ast.CallExpr
	name  string // of the function called
	bound int
}

// passingsAt returns the calls on a line that append a bounded number of
// bytes to nil and are not stored in a field, which is reuse's case.
func passingsAt(p *prove.Program, fn *prove.Function, line int) []passing {
	var found []passing
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if len(call.Args) == 0 || !p.Covers(call, line) || !code.IsNil(fn.Info(), call.Args[0]) {
			continue
		}
		target := code.Callee(fn.Info(), call)
		if target == nil || !code.IsInterfaceMethod(target) && p.InModule(target) {
			continue
		}
		if c := flow.ContractOf(target); c != nil && c.Appends && c.Bound > 0 && !storedDirectly(p, fn, call) {
			found = append(found, passing{call, target.Name(), c.Bound})
		}
	}
	return found
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

func proposeScratchResult(p *prove.Program, fn *prove.Function, c passing) (*model.Change, *prove.Reason) {
	m, why := p.MethodOf(fn)
	if why != nil {
		return nil, why
	}
	if why := receiverAt(p, m, c.call); why != nil {
		return nil, why
	}
	fl := p.Flow(fn)
	fl.Expr(c.call)
	fl.Drain()
	if why := p.Kept(fl); why != nil {
		return nil, why
	}
	if fl.CapSeen {
		return nil, prove.Refuse("its capacity is asked for")
	}
	if loop := fn.File.Loop(c.call); loop != nil {
		for _, v := range fl.Vars {
			if !code.Within(loop, fl.Definition(v)) || fn.File.Loop(fl.Definition(v)) != loop {
				return nil, prove.Refuse(v.Name() + " keeps it from one iteration to the next")
			}
		}
	}
	fl.Assume([]string{flow.ContractOf(code.Callee(fn.Info(), c.call)).Says})
	obligations, why := argue(p, m, "the result", c.call, fl)
	if why != nil {
		return nil, why
	}
	what := strings.TrimLeftFunc(strings.TrimPrefix(c.name, "Append"), func(r rune) bool { return !unicode.IsLetter(r) })
	field := fieldName(p, m, m.Obj.Name(), what)
	if field == "" {
		return nil, prove.Refuse("no name is free for the field")
	}
	array := types.NewArray(types.Typ[types.Byte], int64(c.bound))
	start, end := p.Offset(c.call.Args[0].Pos()), p.Offset(c.call.Args[0].End())
	edits := []model.Edit{
		fieldEdit(p, m, field, fmt.Sprintf("[%d]byte", c.bound), fmt.Sprintf("%s is scratch space of %s: nothing in it outlives a call.", field, m.Obj.Name())),
		p.Edit(fn.File, start, end, m.Recv.Name()+"."+field+"[:0]"),
	}
	return p.Change(fn, edits, model.Change{
		Kind:        "scratch-for-result",
		Title:       fmt.Sprintf("%s: keep the result of %s's %s in %s", m.File.Pkg.Name, m.Obj.Name(), c.name, m.Named.Obj().Name()),
		Obligations: obligations, Retains: retained(p, m, array),
	})
}
