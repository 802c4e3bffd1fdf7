package code

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/rules/rule"
)

// Place reports whether an expression is a name, or fields of one: what it names is
// the same each time, and to write it twice calls nothing.
func Place(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name != "_"
	case *ast.SelectorExpr:
		return Place(x.X)
	case *ast.StarExpr:
		return Place(x.X)
	}
	return false
}

// Operand returns the source of an expression as an operand, in parentheses where
// another operator could take it apart.
func Operand(p *rule.Pass, x ast.Expr) string {
	x = ast.Unparen(x)
	switch x.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
		return Exposed(p, x)
	}
	return "(" + p.Source(x) + ")"
}

// Exposed returns the source of an expression, in parentheses where it shows the brace of a
// literal: after if, for and switch that would be the block.
func Exposed(p *rule.Pass, x ast.Expr) string {
	if braced(x) {
		return "(" + p.Source(x) + ")"
	}
	return p.Source(x)
}

func braced(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.SelectorExpr:
		return braced(x.X)
	case *ast.IndexExpr:
		return braced(x.X)
	case *ast.SliceExpr:
		return braced(x.X)
	case *ast.TypeAssertExpr:
		return braced(x.X)
	case *ast.StarExpr:
		return braced(x.X)
	case *ast.UnaryExpr:
		return braced(x.X)
	case *ast.CallExpr:
		return braced(x.Fun)
	case *ast.BinaryExpr:
		return braced(x.X) || braced(x.Y)
	}
	return false
}

// Receiver returns the source of a value, or of what an address is of, as it stands
// before the name of a method.
func Receiver(p *rule.Pass, w ast.Expr) string {
	if addr, ok := ast.Unparen(w).(*ast.UnaryExpr); ok && addr.Op == token.AND {
		if _, lit := ast.Unparen(addr.X).(*ast.CompositeLit); !lit { // which has no address by itself
			w = addr.X
		}
	}
	return Operand(p, w)
}

// Converted returns the operand of a conversion of a string to []byte, or of a []byte
// to string, and nil if x is neither.
func Converted(info *types.Info, x ast.Expr) (text, data ast.Expr) {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() {
		return nil, nil
	}
	switch from, to := info.TypeOf(call.Args[0]), info.TypeOf(call); {
	case IsString(from) && IsBytes(to):
		return call.Args[0], nil
	case IsBytes(from) && IsString(to):
		return nil, call.Args[0]
	}
	return nil, nil
}

// Replace returns the edit that puts text for a node.
func Replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}

// Fix returns one fix of some edits, as a finding takes it.
func Fix(message string, edits ...analysis.TextEdit) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
}
