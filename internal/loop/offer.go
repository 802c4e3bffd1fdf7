package loop

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// offered returns the name under which pawl bench-stub knows the first function
// that edits touch, quoted for a shell, or FUNC. files are those of before, and
// pkg says which package one belongs to.
func offered(edits []model.Edit, files map[string][]byte, pkg func(file string) string) string {
	for _, e := range edits {
		src, ok := files[e.File]
		if !ok {
			continue
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, e.File, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fset.PositionFor(fn.Pos(), false).Offset > e.Start || fset.PositionFor(fn.End(), false).Offset < e.End {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				name = receiverText(fn.Recv.List[0].Type) + "." + name
			}
			return "'" + pkg(e.File) + "." + name + "'"
		}
	}
	return "FUNC"
}

// receiverText returns "(*T)" or "T", without type parameters.
func receiverText(e ast.Expr) string {
	text := types.ExprString(e)
	text, _, _ = strings.Cut(text, "[")
	if star, ok := strings.CutPrefix(text, "*"); ok {
		return "(*" + star + ")"
	}
	return text
}
