package c07

import (
	"fmt"
	"go/ast"
	"go/token"
)

// V1 closure

type finding struct {
	pos token.Pos
	msg string
}

func unexportedResults(fset *token.FileSet, file *ast.File) []finding {
	var found []finding
	ast.Inspect(file, func(n ast.Node) bool {
		fn, ok := n.(*ast.FuncDecl)
		if !ok {
			return true
		}
		label := fmt.Sprintf("%s (%s)", fn.Name.Name, fset.Position(fn.Pos()))
		if !fn.Name.IsExported() || fn.Type.Results == nil {
			return false
		}
		for _, res := range fn.Type.Results.List {
			if id, ok := res.Type.(*ast.Ident); ok && !id.IsExported() {
				found = append(found, finding{fn.Pos(), label + " returns unexported " + id.Name})
			}
		}
		return false
	})
	return found
}
