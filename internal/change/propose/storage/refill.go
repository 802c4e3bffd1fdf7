package storage

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Refill empties a slice or map in a field where it was dropped, or made anew.
var Refill = prove.Transformation{
	Name:     "refill-field",
	Doc:      "A slice or map in a field that a function drops or makes anew, only to have it filled again, is emptied instead and keeps its storage.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "refill-field", "BenchmarkParse", "allocs", "no allocation for a parser's stack after the first text", 0),
	// The target is where the field is made, or where it grows; it is emptied elsewhere then.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for field, grows := range filledAt(s.Program, s.Fn, s.At.Line) {
			of := map[*prove.Function][]*refill{}
			for _, r := range refills(s.Program, s.Fn.File.Pkg, field) {
				if grows && !r.length && !r.guarded() || !grows && r.fn == s.Fn && s.Covers(r.stmt, s.At.Line) && !r.guarded() {
					of[r.fn] = append(of[r.fn], r)
				}
			}
			for _, rs := range of {
				ch, why := proposeRefill(s.Program, rs)
				s.AddAt(s.Pos(rs[0].stmt.Pos()), types.ExprString(rs[0].lhs)+" loses its storage", ch, why)
			}
		}
	}),
}

// A refill is a statement after which a field is empty and without the storage that it had: x.f = nil, x.f = []T{},
// x.f = make(…) or x.f = map[K]V{}.
type refill struct {
	holder
	assign *ast.AssignStmt
	lhs    *ast.SelectorExpr
	rhs    ast.Expr
	size   ast.Expr // what a slice is made for: its capacity where that is given
	length bool     // and that is its length as well
}

// made reports whether the statement makes a slice of a size.
func (r *refill) made() bool { return r.size != nil }

// isMap reports whether the field is a map.
func (r *refill) isMap() bool {
	_, ok := r.field.Type().Underlying().(*types.Map)
	return ok
}

// filledAt returns the fields that a line makes, and those that grow there: something is appended, or an entry stored.
func filledAt(p *prove.Program, fn *prove.Function, line int) map[*types.Var]bool {
	info, fields := fn.Info(), map[*types.Var]bool{}
	for c := range code.All[*ast.IncDecStmt](fn.Decl.Body) {
		if ix, ok := ast.Unparen(c.X).(*ast.IndexExpr); ok && p.Covers(c, line) {
			if v := fieldOf(info, ix.X); v != nil {
				_, fields[v] = v.Type().Underlying().(*types.Map)
			}
		}
	}
	for a := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		if !p.Covers(a, line) || len(a.Lhs) != len(a.Rhs) {
			continue
		}
		for i, l := range a.Lhs {
			call, _ := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			grows := call != nil && code.Builtin(info, call) == "append"
			if ix, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
				_, grows = info.TypeOf(ix.X).Underlying().(*types.Map)
				l = ix.X
			}
			if v := fieldOf(info, l); v != nil {
				fields[v] = fields[v] || grows
			}
		}
	}
	return fields
}

// fieldOf returns the slice or map field that e selects directly, or nil.
func fieldOf(info *types.Info, e ast.Expr) *types.Var {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	switch s.Obj().Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		return s.Obj().(*types.Var)
	}
	return nil
}

// refills returns the statements of a package that empty a field of a receiver or parameter.
func refills(p *prove.Program, pkg *prove.Package, field *types.Var) (found []*refill) {
	for _, f := range pkg.Files {
		for _, id := range selections(f, pkg.TypesInfo, field.Pos()) {
			lhs, ok := f.Parent(id).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			a, ok := f.Parent(lhs).(*ast.AssignStmt)
			fn := p.FunctionAt(p.Pos(id.Pos()))
			if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) || fn == nil {
				continue
			}
			for i, l := range a.Lhs {
				r := &refill{holder: holder{fn: fn, stmt: a, field: field}, assign: a, lhs: lhs, rhs: ast.Unparen(a.Rhs[i])}
				if l == lhs && r.read() && r.parameter() != nil {
					found = append(found, r)
				}
			}
		}
	}
	return found
}

// read reports whether what is assigned is nothing, or new and empty.
func (r *refill) read() bool {
	info := r.fn.Info()
	switch e := r.rhs.(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		if code.Builtin(info, e) != "make" {
			return false
		}
		if !r.isMap() {
			r.size, r.length = e.Args[len(e.Args)-1], len(e.Args) == 2
			if n, known := prove.ConstInt(info, e.Args[1]); !r.length && (!known || n != 0) {
				return false
			}
			if n, known := prove.ConstInt(info, r.size); known && n == 0 {
				r.size = nil // as a literal without elements
			}
		}
		return true
	}
	return !r.isMap() && code.IsNil(info, r.rhs)
}

// parameter returns the receiver or parameter that the field is one of, a pointer; nil if it is something else.
func (r *refill) parameter() *types.Var {
	id, ok := ast.Unparen(r.lhs.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := r.fn.Info().Uses[id].(*types.Var)
	sig := r.fn.Obj.Signature()
	if v == nil || v != sig.Recv() {
		known := false
		for p := range sig.Params().Variables() {
			known = known || p == v
		}
		if !known {
			return nil
		}
	}
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok || len(r.fn.Info().Selections[r.lhs].Index()) != 1 {
		return nil
	}
	return v
}

// guarded reports whether the field is made only where it has no room, or nothing yet.
func (r *refill) guarded() bool {
	for n := r.fn.File.Parent(r.stmt); n != nil; n = r.fn.File.Parent(n) {
		if cond, ok := n.(*ast.IfStmt); ok && code.Mentions(r.fn.Info(), cond.Cond, r.field) {
			return true
		}
	}
	return false
}

// proposeRefill empties the field in those statements of a function where it can be.
func proposeRefill(p *prove.Program, rs []*refill) (*model.Change, *prove.Reason) {
	var obligations []model.Obligation
	var edits []model.Edit
	var refused *prove.Reason
	for _, r := range rs {
		os, texts, why := r.propose(p)
		if why != nil {
			refused = why
			continue
		}
		obligations, edits = os, append(edits, texts...)
	}
	if len(edits) == 0 {
		return nil, refused
	}
	r := rs[0]
	struc, name := r.owner().Obj().Name(), r.field.Name()
	return p.Change(r.fn, edits, model.Change{
		Kind:        "refill-field",
		Title:       fmt.Sprintf("%s: keep the storage of %s.%s in %s", r.fn.File.Pkg.Name, struc, name, r.fn.Obj.Name()),
		Obligations: obligations,
		Retains:     fmt.Sprintf("the storage of the largest %s so far, per %s, after %s too", name, struc, r.fn.Obj.Name()),
	})
}

// propose argues for one statement, and writes it anew.
func (r *refill) propose(p *prove.Program) (obligations []model.Obligation, edits []model.Edit, why *prove.Reason) {
	if why = r.site(p); why != nil {
		return nil, nil, why
	}
	if obligations, why = r.argue(p); why == nil {
		edits, why = r.edits(p)
	}
	return obligations, edits, why
}

// site checks the statement itself.
func (r *refill) site(p *prove.Program) *prove.Reason {
	info, fn := r.fn.Info(), r.fn
	if code.StmtList(fn.File.Parent(r.assign)) == nil {
		return prove.Refuse("it is assigned in the head of a statement")
	}
	if fn.File.Literal(r.assign) != nil {
		return prove.Refuse("it is assigned in a function literal")
	}
	if code.WrittenIn(info, fn.Decl.Body, r.parameter()) {
		return prove.Refuse(r.parameter().Name() + " is assigned to or its address is taken")
	}
	mentions := 0
	for range prove.UsesIn(info, r.assign, r.field) {
		mentions++
	}
	if mentions > 1 && !(r.made() && len(r.assign.Lhs) == 1) {
		return prove.Refuse("the assignment mentions " + r.field.Name() + " twice")
	}
	if len(r.assign.Lhs) > 1 && !code.IsNil(info, r.rhs) {
		return prove.Refuse("it is assigned together with others")
	}
	if r.owner() == nil {
		return prove.Refuse("it is a field of no declared type")
	}
	return nil
}

// owner returns the declared type that the parameter points to, nil if it has no name.
func (r *refill) owner() *types.Named {
	named, _ := types.Unalias(r.parameter().Type().Underlying().(*types.Pointer).Elem()).(*types.Named)
	return named
}
