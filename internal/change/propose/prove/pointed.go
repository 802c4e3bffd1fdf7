package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// SetAgain says where := sets a variable once more in some code: a pointer to it cannot be written there.
func (p *Module) SetAgain(fn *Function, in ast.Node, v *types.Var) *Reason {
	for a := range code.All[*ast.AssignStmt](in) {
		if a.Tok == token.DEFINE && slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool { return IsUseOf(fn.Info(), l, v) }) {
			return Refuse("a := sets it once more (" + p.Pos(a.Pos()).String() + ")")
		}
	}
	return nil
}

// Pointed makes of each use of a variable, a struct, one of the pointer that it has become.
func (p *Editor) Pointed(fn *Function, in ast.Node, v *types.Var) []model.Edit {
	var edits []model.Edit
	for id := range UsesIn(fn.Info(), in, v) {
		start, end, text := id.Pos(), id.End(), "*"+id.Name
		switch up := fn.File.Parent(id).(type) {
		case *ast.SelectorExpr:
			continue // through the pointer
		case *ast.UnaryExpr:
			if up.Op == token.AND {
				start, text = up.Pos(), id.Name
			}
		}
		edits = append(edits, p.Put(fn.File, start, end, text))
	}
	return edits
}
