package words

import "go/ast"

// FuncName is how profiles and compilers name a declared function within its package:
// "F", "T.F" or "(*T).F", without type parameters.
func FuncName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t, pointer := fn.Recv.List[0].Type, false
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.StarExpr:
			pointer, t = true, x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			if pointer {
				return "(*" + x.Name + ")." + fn.Name.Name
			}
			return x.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}
