package prove

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A place is where memory is stored: a field, a package variable or another one, or an entry or element of it.
type place struct {
	v     *types.Var
	entry bool
}

// stored says where the memory of a slice is stored in another place: append makes a third slice of that, or it grows or
// changes while the slice grows.
func (p *Module) stored(s *Shared) *Reason {
	for _, leak := range s.Flow.Leaks {
		e, ok := leak.At.(ast.Expr)
		if !ok || !strings.HasPrefix(leak.Why, "stored in") {
			continue
		}
		if to := s.storedIn(e); to.v != nil {
			if at := p.altered(to, s.Adds != nil || s.growsBehind(e)); at != "" {
				return Refusef("it is %s, which has its memory as well and is appended to or set at %s", leak.Why, at)
			}
		}
	}
	return nil
}

// growsBehind reports whether the function extends the slice behind a place, or in a loop around that.
func (s *Shared) growsBehind(n ast.Node) bool {
	loop := s.File.Loop(n)
	return slices.ContainsFunc(s.Flow.Extends, func(call *ast.CallExpr) bool {
		return call.Pos() > n.End() || loop != nil && code.Within(loop, call)
	})
}

// storedIn returns the place that an expression with the memory is stored in. It has no variable where that is the slice itself,
// or where the slice is given another value right away.
func (s *Shared) storedIn(e ast.Expr) place {
	info := s.Flow.Info
	switch up := s.File.Parent(e).(type) {
	case *ast.AssignStmt:
		at := slices.Index(up.Rhs, e)
		if at < 0 || len(up.Lhs) != len(up.Rhs) || s.Is(ast.Unparen(up.Lhs[at])) && sameText(up.Lhs[at], uncut(e)) || s.leaves(up, e) {
			return place{}
		}
		if _, call := ast.Unparen(e).(*ast.CallExpr); call || s.Is(ast.Unparen(up.Lhs[at])) && !s.Is(uncut(e)) {
			return place{} // it may come back to the slice
		}
		return placeOf(info, up.Lhs[at])
	case *ast.KeyValueExpr:
		return placeOf(info, up.Key)
	case *ast.CompositeLit:
		at := slices.Index(up.Elts, e)
		if t, ok := code.Core(info.TypeOf(up)).(*types.Struct); ok && at >= 0 {
			return place{v: t.Field(at)}
		}
	}
	return place{}
}

// leaves reports whether an assignment, or the statement behind it, gives the slice another value.
func (s *Shared) leaves(a *ast.AssignStmt, e ast.Expr) bool {
	list := code.StmtList(s.File.Parent(a))
	both := []ast.Stmt{a}
	if i := slices.Index(list, ast.Stmt(a)); i >= 0 && i+1 < len(list) {
		both = append(both, list[i+1])
	}
	return slices.ContainsFunc(both, func(stmt ast.Stmt) bool {
		return slices.ContainsFunc(code.Assigned(stmt), func(to ast.Expr) bool { return sameText(to, uncut(e)) }) &&
			!code.Any(stmt, func(call *ast.CallExpr) bool { return slices.Contains(s.Flow.Extends, call) })
	})
}

// altered says where code of the module makes another slice of a place by append, or where it appends to it or sets an element
// of it at all; "" where none does.
func (p *Module) altered(to place, atAll bool) (at string) {
	for _, k := range p.Packages {
		is := func(e ast.Expr) bool {
			got := placeOf(k.TypesInfo, uncut(e))
			return got.v != nil && got.entry == to.entry && got.v.Pos() == to.v.Pos() && got.v.Name() == to.v.Name()
		}
		for _, f := range k.Files {
			for n := range code.All[ast.Node](f.Syntax) {
				found := atAll && slices.ContainsFunc(code.Assigned(n), func(e ast.Expr) bool {
					x, ok := ast.Unparen(e).(*ast.IndexExpr)
					return ok && is(x.X)
				})
				if call, ok := n.(*ast.CallExpr); ok {
					e := flow.Extended(k.TypesInfo, call)
					found = e != nil && is(e) && (atAll || !GoesBack(f, call, is))
				}
				if found && at == "" {
					at = p.Pos(n.Pos()).String()
				}
			}
		}
	}
	return at
}

// placeOf reads which place an expression is.
func placeOf(info *types.Info, e ast.Expr) (to place) {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if ok {
		e, to.entry = x.X, true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		to.v, _ = info.Uses[e.Sel].(*types.Var)
	case *ast.Ident:
		to.v, _ = info.Uses[e].(*types.Var)
	}
	return to
}

// uncut returns what is cut in an expression.
func uncut(e ast.Expr) ast.Expr {
	for {
		cut, ok := ast.Unparen(e).(*ast.SliceExpr)
		if !ok {
			return ast.Unparen(e)
		}
		e = cut.X
	}
}

func sameText(x, y ast.Expr) bool { return types.ExprString(ast.Unparen(x)) == types.ExprString(y) }
