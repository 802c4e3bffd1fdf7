package storage

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// beyond returns where a use of the field, or a function that it is passed to, may cut a slice to more than its length. New
// storage is zero there, and old storage is not.
func (r *refill) beyond(p *prove.Program, f *prove.File, id *ast.Ident, fl *flow.Flow) token.Pos {
	if r.isMap() {
		return token.NoPos
	}
	for up := f.Parent(f.Parent(id)); up != nil; up = f.Parent(up) {
		cut, ok := up.(*ast.SliceExpr)
		if _, paren := up.(*ast.ParenExpr); !ok && !paren {
			break
		}
		if ok && !shortens(f, cut) {
			return cut.Pos()
		}
	}
	for _, to := range fl.Calls {
		decl := p.Function(to.Fn)
		if decl == nil {
			continue
		}
		for fn := range p.Reached(p.EdgesOf(decl)) {
			for cut := range code.All[*ast.SliceExpr](fn.Decl.Body) {
				if types.Identical(fn.Info().TypeOf(cut.X).Underlying(), r.field.Type().Underlying()) && !shortens(fn.File, cut) {
					return cut.Pos()
				}
			}
		}
	}
	return token.NoPos
}

// shortens reports whether what is cut off a slice is not longer than that, or ends where the slice ended once and it has only
// grown since, or where what is appended to it begins.
func shortens(f *prove.File, cut *ast.SliceExpr) bool {
	info := f.Pkg.TypesInfo
	if prove.Shortens(info, cut) || cut.Slice3 || removes(f, cut) {
		return !cut.Slice3
	}
	v := code.Var(info, cut.High)
	return code.Local(v) && !code.WrittenIn(info, f.Syntax, v) && grows(f, cut.X) && code.Any(f.Syntax, func(a *ast.AssignStmt) bool {
		i := slices.IndexFunc(a.Lhs, func(l ast.Expr) bool { return code.Var(info, l) == v })
		return i >= 0 && len(a.Lhs) == len(a.Rhs) && prove.OfLength(info, a.Rhs[i], cut.X)
	})
}

// grows reports whether a file gives a slice only what is appended to it, or its beginning: s[3:] moves where it ends.
func grows(f *prove.File, slice ast.Expr) bool {
	info := f.Pkg.TypesInfo
	return !code.Any(f.Syntax, func(a *ast.AssignStmt) bool {
		for i, to := range a.Lhs {
			if !code.SameVariable(info, to, slice) || a.Tok == token.DEFINE {
				continue
			}
			if len(a.Lhs) != len(a.Rhs) {
				return true
			}
			from := ast.Unparen(a.Rhs[i])
			if call, ok := from.(*ast.CallExpr); ok && code.Builtin(info, call) == "append" {
				from = ast.Unparen(call.Args[0])
			}
			for cut, ok := from.(*ast.SliceExpr); ok && cut.Low == nil; cut, ok = from.(*ast.SliceExpr) {
				from = ast.Unparen(cut.X)
			}
			if !code.SameVariable(info, from, slice) {
				return true
			}
		}
		return false
	})
}

// removes reports whether a cut is the s[:i] of append(s[:i], s[i+1:]...), which panics where i is beyond the end.
func removes(f *prove.File, cut *ast.SliceExpr) bool {
	info := f.Pkg.TypesInfo
	call, ok := f.Parent(cut).(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "append" || len(call.Args) != 2 || call.Args[0] != cut {
		return false
	}
	rest, ok := ast.Unparen(call.Args[1]).(*ast.SliceExpr)
	if !ok || rest.Low == nil || rest.High != nil || !code.SameVariable(info, rest.X, cut.X) {
		return false
	}
	low := ast.Unparen(rest.Low)
	if sum, ok := low.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		if n, known := prove.ConstInt(info, sum.Y); known && n >= 0 {
			low = sum.X
		}
	}
	return code.SameVariable(info, low, cut.High)
}
