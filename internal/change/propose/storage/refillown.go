package storage

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// argue shows that the storage is the field's alone: what it holds was made for it, nothing else refers to that when it is
// emptied, and no other value of the struct has it.
func (r *refill) argue(p *prove.Program) ([]model.Obligation, *prove.Reason) {
	name := r.field.Name()
	copied, why := p.Hidden(r.fn, r.field)
	if why != nil {
		return nil, why
	}
	if copied != "" {
		return nil, prove.Refusef("its struct is copied at %s: the copies would share the storage", copied)
	}
	if at := r.byValue(p); at != "" {
		return nil, prove.Refusef("its struct is passed by value, or lies in a list or map, at %s: the copies would share the storage", at)
	}
	alone := model.Obligation{Text: name + " is the only thing that refers to what it holds", How: "proven",
		Why: "each value that it gets is new or made of itself, and every use reads it in place, or passes it to a function that does not keep it"}
	var assumed []string
	for _, f := range r.fn.File.Pkg.Files {
		for _, id := range selections(f, r.fn.File.Pkg.TypesInfo, r.field.Pos()) {
			says, why := r.useOf(p, f, id)
			if why != nil {
				return nil, why
			}
			for _, s := range says {
				if !slices.Contains(assumed, s) {
					assumed = append(assumed, s)
				}
			}
		}
	}
	obligations := []model.Obligation{prove.Assuming(alone, assumed),
		{Text: "two goroutines never empty and read it at the same time", How: "proven",
			Why: name + " itself is written by the same statement: whatever keeps that and the reads apart keeps the storage safe; no loop over it lets go of a lock or waits"},
		{Text: "nothing can tell that it has storage when it is empty", How: "proven", Why: "its capacity is not asked for" + r.andNil()}}
	if at := r.heldByTests(p); at != "" {
		obligations = append(obligations, model.Obligation{Text: "tests do not hold on to " + name, How: "assumed",
			Why: "the guard runs them; " + at + " refers to it"})
	}
	return obligations, nil
}

// nilBefore reports whether the statement leaves nil behind, or may since nil has no storage to keep.
func (r *refill) nilBefore() bool { return !r.isMap() && !r.made() }

func (r *refill) andNil() string {
	if r.nilBefore() {
		return ", nor whether it is nil"
	}
	return ""
}

// useOf argues about one use of the field, and says what it counts on.
func (r *refill) useOf(p *prove.Program, f *prove.File, id *ast.Ident) ([]string, *prove.Reason) {
	where := " (" + p.Pos(id.Pos()).String() + ")"
	if value, written := r.stored(f, id); written && !r.own(f, id, value) {
		return nil, prove.Refuse("it gets storage that is not its own" + where)
	}
	fl, why := r.use(p, f, id)
	if why != nil || fl == nil {
		return nil, why
	}
	if fl.CapSeen {
		return nil, prove.Refuse("its capacity is asked for" + where)
	}
	if fl.NilSeen && r.nilBefore() {
		return nil, prove.Refuse("whether it is nil is asked for" + where)
	}
	own := func(to ast.Expr) bool { return fieldOf(f.Pkg.TypesInfo, to) == r.field }
	if slices.ContainsFunc(fl.Extends, func(call *ast.CallExpr) bool { return !prove.GoesBack(f, call, own) }) {
		return nil, prove.Refuse("what is appended to it goes elsewhere" + where)
	}
	if at := r.beyond(p, f, id, fl); at.IsValid() {
		return nil, prove.Refuse("it may be cut to more than it holds, which would show what it held before (" + p.Pos(at).String() + ")")
	}
	if why := r.around(p, f, id, fl); why != nil {
		return nil, why
	}
	says, why := r.loop(p, f, id)
	return append(fl.Assumed, says...), why
}

// around argues about what runs while the field's storage is in the hands of one statement: what else that evaluates, and
// the functions that it is passed to.
func (r *refill) around(p *prove.Program, f *prove.File, id *ast.Ident, fl *flow.Flow) *prove.Reason {
	where := " (" + p.Pos(id.Pos()).String() + ")"
	fn, sel := p.FunctionAt(p.Pos(id.Pos())), f.Parent(id)
	for _, to := range fl.Calls {
		decl := p.Function(to.Fn)
		if decl == nil {
			continue
		}
		if value, _ := p.Brought(p.EdgesOf(decl)); value && f.Pkg.Name != "main" {
			return prove.Refuse(to.Fn.Name() + ", which it is passed to, calls a function value, which may lead to " + r.fn.Obj.Name() + where)
		}
	}
	up := f.Parent(sel)
	if call, ok := up.(*ast.CallExpr); ok && code.Builtin(f.Pkg.TypesInfo, call) == "len" {
		return nil // which is a number at once
	}
	whole := sel
	for ; up != nil; up = f.Parent(up) {
		if _, ok := up.(ast.Expr); !ok {
			break
		}
		whole = up
	}
	switch up.(type) {
	case *ast.AssignStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.SendStmt, *ast.ValueSpec:
		whole = up
	}
	if back, _ := p.Reaches(p.EdgesIn(fn, whole), r.fn.Obj.FullName()); back {
		return prove.Refuse("a call in the same statement leads to " + r.fn.Obj.Name() + where)
	}
	return nil
}

// stored returns what a use gives to the field; nil where a call or a loop does. It reports whether it is written there.
func (r *refill) stored(f *prove.File, id *ast.Ident) (ast.Expr, bool) {
	var e ast.Node = id
	switch up := f.Parent(id).(type) {
	case *ast.KeyValueExpr:
		return up.Value, up.Key == id
	case *ast.SelectorExpr:
		e = up
	}
	switch up := f.Parent(e).(type) {
	case *ast.AssignStmt:
		for i, l := range up.Lhs {
			if l == e && len(up.Lhs) == len(up.Rhs) {
				return up.Rhs[i], true
			}
			if l == e {
				return nil, true
			}
		}
	case *ast.RangeStmt:
		return nil, up.Key == e || up.Value == e
	case *ast.ParenExpr:
		return nil, true // perhaps; nobody writes that
	}
	return nil, false
}

// own reports whether a value that the field gets is new, or is made of the storage of the same field.
func (r *refill) own(f *prove.File, id *ast.Ident, value ast.Expr) bool {
	info := f.Pkg.TypesInfo
	switch e := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.SliceExpr:
		return r.own(f, id, e.X)
	case *ast.SelectorExpr:
		to, ok := f.Parent(id).(*ast.SelectorExpr)
		return ok && info.Uses[e.Sel] == r.field && code.SameVariable(info, e.X, to.X)
	case *ast.CallExpr:
		switch {
		case code.Builtin(info, e) == "make":
			return true
		case code.Builtin(info, e) == "append":
			return r.own(f, id, e.Args[0])
		case info.Types[e.Fun].IsType() && len(e.Args) == 1:
			return code.IsString(info.TypeOf(e.Args[0])) || code.IsNil(info, e.Args[0])
		}
		return false
	case nil:
		return false
	}
	return code.IsNil(info, value)
}

// loop argues about a loop over the field: nothing in it may empty the field, nor let another goroutine do so.
func (r *refill) loop(p *prove.Program, f *prove.File, id *ast.Ident) (says []string, why *prove.Reason) {
	sel := f.Parent(id)
	fn := p.FunctionAt(p.Pos(id.Pos()))
	for n := f.Parent(sel); n != nil; n = f.Parent(n) {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || !code.Within(loop.X, sel) {
			continue
		}
		where := " (" + p.Pos(loop.Pos()).String() + ")"
		if by := p.SynchronisesIn(fn, loop.Body, fn.Obj.Signature().Recv()); by != "" {
			return nil, prove.Refuse("a loop over it uses " + by + ": another goroutine may empty it meanwhile" + where)
		}
		edges := p.EdgesIn(fn, loop.Body)
		value, method := p.Brought(edges)
		if f.Pkg.Name != "main" && value {
			return nil, prove.Refuse("a loop over it calls a function value, which may lead to " + r.fn.Obj.Name() + where)
		}
		_, outside := p.Reaches(edges, "")
		if by := cmp.Or(outside, method); by != "" {
			says = append(says, fmt.Sprintf("%s does not call back into %s%s", by, r.fn.Obj.Name(), where))
		}
	}
	return says, nil
}

// byValue says where values of the struct are handed on as such: to a method, or in a slice, array, map or channel.
func (r *refill) byValue(p *prove.Program) string {
	type question struct{ named *types.Named }
	return prove.Remember(p, question{r.owner()}, func() string { return byValue(p, r.owner()) })
}

func byValue(p *prove.Program, named *types.Named) string {
	for m := range named.Methods() {
		if _, ptr := m.Signature().Recv().Type().(*types.Pointer); !ptr {
			return p.Pos(m.Pos()).String()
		}
	}
	for _, f := range p.Files {
		for e := range code.All[ast.Expr](f.Syntax) {
			tv, ok := f.Pkg.TypesInfo.Types[e]
			if !ok || !tv.IsType() {
				continue
			}
			list, ok := tv.Type.Underlying().(interface{ Elem() types.Type })
			if _, ptr := list.(*types.Pointer); ok && !ptr && prove.Holds(list.Elem(), named) {
				return p.Pos(e.Pos()).String()
			}
		}
	}
	return ""
}
