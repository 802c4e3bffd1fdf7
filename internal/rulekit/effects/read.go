package effects

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// read finds out about one function from its body.
func (e *Effects) read(fn *flow.Func) *Fact {
	if fn.Body == nil {
		return &Fact{Keeps: unknown}
	}
	r := &reader{e: e, fact: &Fact{Pure: true}}
	ast.Inspect(fn.Body, r.visit)
	r.fact.Keeps, r.fact.Nils = e.keeps(fn)
	return r.fact
}

type reader struct {
	e    *Effects
	fact *Fact
}

func (r *reader) visit(n ast.Node) bool {
	for _, to := range code.Assigned(n) {
		r.write(to)
	}
	switch n := n.(type) {
	case *ast.FuncLit:
		// What a literal does happens when it is called, and by whom is not
		// followed.
		r.fact.Pure = false
		return false
	case *ast.GoStmt:
		r.fact.Pure = false
		return false
	case *ast.DeferStmt:
		r.fact.Pure = false
	case *ast.SelectStmt:
		r.fact.Pure = false
		for _, c := range n.Body.List {
			if c.(*ast.CommClause).Comm == nil {
				return true // with a default it does not wait
			}
		}
		r.blocks(n.Pos(), "select")
	case *ast.SendStmt:
		r.fact.Pure = false
		if !r.inSelect(n.Pos()) {
			r.blocks(n.Pos(), "a channel send")
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			r.fact.Pure = false
			if !r.inSelect(n.Pos()) {
				r.blocks(n.Pos(), "a channel receive")
			}
		}
	case *ast.CallExpr:
		r.call(n)
	case *ast.RangeStmt:
		if code.ByChannel(r.e.pass.TypesInfo, n) {
			r.blocks(n.Pos(), "a range over a channel")
		}
	case *ast.Ident:
		r.ident(n)
	case *ast.StarExpr, *ast.IndexExpr, *ast.SelectorExpr, *ast.SliceExpr:
		r.deref(n.(ast.Expr))
	}
	return true
}

func (r *reader) type_(x ast.Expr) types.Type {
	t := r.e.pass.TypesInfo.TypeOf(x)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

// inSelect is deliberately coarse: a send or receive that is a case of a select with a
// default does not wait, and one in a select without has been counted.
func (r *reader) inSelect(pos token.Pos) bool {
	for _, f := range r.e.pass.Files {
		if f.FileStart > pos || pos >= f.FileEnd {
			continue
		}
		found := false
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CommClause); ok && c.Comm != nil && c.Comm.Pos() <= pos && pos < c.Comm.End() {
				found = true
			}
			return !found && n != nil && n.Pos() <= pos && pos < n.End()
		})
		return found
	}
	return false
}

func (r *reader) blocks(pos token.Pos, what string) {
	if !r.fact.Blocks {
		r.fact.Blocks = true
		r.because(pos, what)
	}
}

func (r *reader) because(pos token.Pos, what string) {
	if r.fact.Why == "" {
		at := r.e.pass.Fset.Position(pos)
		r.fact.Why = fmt.Sprintf("%s at %s:%d", what, filepath.Base(at.Filename), at.Line)
	}
}

func (r *reader) call(call *ast.CallExpr) {
	callee := r.e.Call(call)
	if !callee.Pure {
		r.fact.Pure = false
	}
	f := typeutil.StaticCallee(r.e.pass.TypesInfo, call)
	if f == nil {
		f, _ = typeutil.Callee(r.e.pass.TypesInfo, call).(*types.Func)
	}
	if f == nil {
		return
	}
	if callee.Blocks {
		r.fact.Blocks = true
		r.because(call.Pos(), f.FullName())
	}
	if callee.IO {
		r.fact.IO = true
		r.because(call.Pos(), f.FullName())
	}
}

// write takes away Pure unless a local variable itself is assigned.
func (r *reader) write(lhs ast.Expr) {
	id, ok := ast.Unparen(lhs).(*ast.Ident)
	if !ok {
		r.fact.Pure = false
		return
	}
	if v, ok := r.e.pass.TypesInfo.ObjectOf(id).(*types.Var); ok && global(v) {
		r.fact.Pure = false
	}
}

func (r *reader) ident(id *ast.Ident) {
	if v, ok := r.e.pass.TypesInfo.Uses[id].(*types.Var); ok && !v.IsField() && global(v) {
		r.fact.Pure = false // its value may differ from call to call
	}
}

func global(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// deref takes away Pure where memory is read that others may write: behind a
// pointer, in a slice or in a map. Strings and local arrays and structs are
// values.
func (r *reader) deref(x ast.Expr) {
	switch x := x.(type) {
	case *ast.StarExpr:
		if tv := r.e.pass.TypesInfo.Types[x]; !tv.IsType() {
			r.fact.Pure = false
		}
	case *ast.IndexExpr:
		if t := r.type_(x.X); code.May[*types.Slice](t) || code.May[*types.Map](t) || code.May[*types.Pointer](t) {
			r.fact.Pure = false
		}
	case *ast.SliceExpr:
		if _, ok := r.type_(x.X).Underlying().(*types.Basic); !ok {
			r.fact.Pure = false
		}
	case *ast.SelectorExpr:
		if sel := r.e.pass.TypesInfo.Selections[x]; sel != nil && sel.Indirect() {
			r.fact.Pure = false
		}
	}
}
