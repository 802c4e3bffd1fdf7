package text

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// end is up to where the bytes must stay: the last statement or condition that uses them, with the loops around it, or
// the place where the string is made.
func (l *lookup) end() token.Pos {
	f := l.fn.File
	var end token.Pos
	if l.place != nil {
		end = l.place.Pos()
	}
	for _, use := range l.bare {
		whole := ast.Node(use)
		for up := f.Parent(use); up != f.Parent(l.def); up = f.Parent(up) {
			switch up.(type) {
			case ast.Expr, *ast.AssignStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.DeclStmt, *ast.ValueSpec, *ast.GenDecl, *ast.ForStmt, *ast.RangeStmt:
				whole = up
			}
		}
		end = max(end, whole.End())
	}
	return end
}

// unchanged says why the bytes may be others where they are used.
func (l *lookup) unchanged() *prove.Reason {
	end := l.end()
	within := func(n ast.Node) bool {
		return slices.ContainsFunc(l.bare, func(id *ast.Ident) bool { return code.Within(n, id) }) || l.place != nil && code.Within(n, l.place)
	}
	n := l.fn.BytesWritten(l.below, end, func(n ast.Node) bool { return prove.Departs(n) && !within(n) }, func(ast.Node) bool { return false })
	if n == nil {
		return nil
	}
	return prove.Refusef("the bytes may change before they are used last (%s)", l.p.Pos(n.Pos()))
}
