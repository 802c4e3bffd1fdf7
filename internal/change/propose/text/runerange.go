package text

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// runesAt returns the conversions on a line that make runes of a string for a loop that asks for
// no index.
func runesAt(p *prove.Program, fn *prove.Function, line int) []*ast.CallExpr {
	var found []*ast.CallExpr
	info := fn.Info()
	for loop := range code.All[*ast.RangeStmt](fn.Decl.Body) {
		conv, ok := ast.Unparen(loop.X).(*ast.CallExpr)
		if key, named := loop.Key.(*ast.Ident); !ok || !p.Covers(conv, line) || loop.Tok == token.ASSIGN || loop.Key != nil && (!named || key.Name != "_") ||
			len(conv.Args) != 1 || !info.Types[conv.Fun].IsType() || !code.IsString(info.TypeOf(conv.Args[0])) {
			continue
		}
		if to, ok := info.TypeOf(conv).Underlying().(*types.Slice); ok && types.Identical(to.Elem(), types.Typ[types.Int32]) {
			found = append(found, conv)
		}
	}
	return found
}

// overText lets a loop range over a string itself.
func rangeOverText(p *prove.Program, fn *prove.Function, conv *ast.CallExpr) (*model.Change, *prove.Reason) {
	f := fn.File
	if f.Commented(conv) {
		return nil, prove.Refuse("there is a comment within the conversion")
	}
	text := conv.Args[0]
	edit := p.Put(f, conv.Pos(), conv.End(), p.Source(f, text))
	return p.Change(fn, []model.Edit{edit}, model.Change{
		Kind:  "conversion",
		Title: fmt.Sprintf("%s: range over %s itself in %s", f.Pkg.Name, prove.Short(types.ExprString(text)), fn.Obj.Name()),
		Obligations: []model.Obligation{{Text: "the loop sees the same characters", How: "proven",
			Why: "a string is ranged over by the characters that a conversion makes, U+FFFD for each byte of none included, and what it was before the loop"}},
	})
}
