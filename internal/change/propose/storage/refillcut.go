package storage

import (
	"go/ast"
	"go/token"
	"go/types"

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

// shortens reports whether what is cut off a slice is not longer than that: it ends where the slice ends, or begins, or by a
// number of elements before; where the slice ended once; or where what is appended to it begins.
func shortens(f *prove.File, cut *ast.SliceExpr) bool {
	info := f.Pkg.TypesInfo
	if cut.Slice3 {
		return false
	}
	if n, known := int64(0), false; cut.High == nil {
		return true
	} else if n, known = prove.ConstInt(info, cut.High); known {
		return n == 0
	}
	if ofLength(info, cut.High, cut.X) || removes(f, cut) {
		return true
	}
	id, ok := ast.Unparen(cut.High).(*ast.Ident)
	v, isVar := info.Uses[id].(*types.Var)
	if !ok || !isVar || !code.Local(v) {
		return false
	}
	found := false
	for a := range code.All[*ast.AssignStmt](f.Syntax) {
		for i, l := range a.Lhs {
			if to, ok := l.(*ast.Ident); !ok || info.ObjectOf(to) != v {
				continue
			}
			if a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) || !ofLength(info, a.Rhs[i], cut.X) {
				return false
			}
			found = true
		}
	}
	return found && !code.AddressTaken(info, f.Syntax, v) && !counted(info, f.Syntax, v)
}

// counted reports whether a variable is counted up or down, or set by a loop.
func counted(info *types.Info, in ast.Node, v *types.Var) bool {
	for n := range code.All[ast.Node](in) {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if prove.IsUseOf(info, n.X, v) {
				return true
			}
		case *ast.RangeStmt:
			if n.Key != nil && prove.IsUseOf(info, n.Key, v) || n.Value != nil && prove.IsUseOf(info, n.Value, v) {
				return true
			}
		}
	}
	return false
}

// ofLength reports whether n is len(slice), or a constant less.
func ofLength(info *types.Info, n, slice ast.Expr) bool {
	switch n := ast.Unparen(n).(type) {
	case *ast.BinaryExpr:
		less, known := prove.ConstInt(info, n.Y)
		return n.Op == token.SUB && known && less >= 0 && ofLength(info, n.X, slice)
	case *ast.CallExpr:
		return code.Builtin(info, n) == "len" && code.SameVariable(info, n.Args[0], slice)
	}
	return false
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
