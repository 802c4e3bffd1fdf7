package prove

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/source"
)

// IsUseOf reports whether e is the variable v and nothing more.
func IsUseOf(info *types.Info, e ast.Expr, v types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.Uses[id] == v
}

// RootIdent is that of package source.
func RootIdent(e ast.Expr) *ast.Ident { return source.RootIdent(e) }
