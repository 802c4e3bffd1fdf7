package prove

import (
	"go/ast"
	"go/types"
)

// IsUseOf reports whether e is the variable v and nothing more.
func IsUseOf(info *types.Info, e ast.Expr, v types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.Uses[id] == v
}

// DeclaredAt is the place of an object's declaration.
func DeclaredAt(obj types.Object) ast.Node { return &ast.Ident{NamePos: obj.Pos(), Name: obj.Name()} }

// SameVariable reports whether two expressions are the same identifier or the
// same fields of one.
func SameVariable(info *types.Info, a, b ast.Expr) bool {
	switch a := ast.Unparen(a).(type) {
	case *ast.Ident:
		b, ok := ast.Unparen(b).(*ast.Ident)
		return ok && info.Uses[a] != nil && info.Uses[a] == info.Uses[b]
	case *ast.SelectorExpr:
		b, ok := ast.Unparen(b).(*ast.SelectorExpr)
		return ok && info.Uses[a.Sel] == info.Uses[b.Sel] && SameVariable(info, a.X, b.X)
	}
	return false
}

// RootIdent returns the identifier that a chain of selectors, indices,
// slices, parentheses and dereferences starts with, or nil.
func RootIdent(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return nil
		}
	}
}
