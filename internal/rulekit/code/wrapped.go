package code

import (
	"go/ast"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Wrapped returns the calls of the function that does nothing but evaluate the expression
// at cur, and return it if it returns anything. Where such a function is called, the
// expression is evaluated, for the values of the parameters. There are none where the
// expression has more around it.
func Wrapped(ix *index.Index, info *types.Info, cur inspector.Cursor) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	decl, f := Decl(info, cur)
	if f == nil || decl.Body == nil || len(decl.Body.List) != 1 {
		return func(func(inspector.Cursor, *ast.CallExpr) bool) {}
	}
	switch s := decl.Body.List[0].(type) {
	case *ast.ReturnStmt:
		if len(s.Results) == 1 && ast.Unparen(s.Results[0]) == cur.Node() {
			return ix.CallsOf(f)
		}
	case *ast.ExprStmt:
		if s.X == cur.Node() {
			return ix.CallsOf(f)
		}
	}
	return func(func(inspector.Cursor, *ast.CallExpr) bool) {}
}
