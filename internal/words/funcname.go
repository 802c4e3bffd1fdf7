package words

import "go/ast"

// FuncName is how profiles and compilers name a declared function within its package:
// "F", "T.F" or "(*T).F", without type parameters.
func FuncName(fn *ast.FuncDecl) string {
	if IsPointer(fn) {
		return "(*" + Receiver(fn) + ")." + fn.Name.Name
	}
	return DeclName(fn)
}

// DeclName names a declared function within its package: "F" or "T.F", without a
// pointer and type parameters.
func DeclName(fn *ast.FuncDecl) string {
	if t := Receiver(fn); t != "" {
		return t + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// IsPointer reports whether a method's receiver is a pointer.
func IsPointer(fn *ast.FuncDecl) bool {
	if Receiver(fn) == "" {
		return false
	}
	_, ok := ast.Unparen(fn.Recv.List[0].Type).(*ast.StarExpr)
	return ok
}

// Receiver names the type of a method, without type parameters; "" for what is none.
func Receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	for n := range ast.Preorder(fn.Recv.List[0].Type) {
		if id, ok := n.(*ast.Ident); ok {
			return id.Name // those of type parameters come after it
		}
	}
	return "" // does not compile
}
