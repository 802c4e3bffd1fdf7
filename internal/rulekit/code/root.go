package code

import "go/ast"

// RootIdent returns the identifier that a chain of selectors, indices,
// slices, parentheses and dereferences starts with, or nil.
func RootIdent(e ast.Expr) *ast.Ident {
	for ; e != nil; e = Base(e) {
		if id, ok := e.(*ast.Ident); ok {
			return id
		}
	}
	return nil
}

// Base returns what such a chain goes on from, one step nearer to its start; nil there.
func Base(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.SelectorExpr:
		return x.X
	case *ast.ParenExpr:
		return x.X
	case *ast.StarExpr:
		return x.X
	case *ast.IndexExpr:
		return x.X
	case *ast.SliceExpr:
		return x.X
	}
	return nil
}
