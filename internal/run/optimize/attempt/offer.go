package attempt

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A span is some lines of a file, the last included.
type span struct{ from, to int }

func (l span) String() string {
	if l.from == l.to {
		return fmt.Sprintf("line %d", l.from)
	}
	return fmt.Sprintf("lines %d to %d", l.from, l.to)
}

// offered returns the name under which pawl bench-stub knows the first function
// that edits touch, quoted for a shell, or FUNC. files are those of before, and
// pkg says which package one belongs to.
func offered(edits []model.Edit, files map[string][]byte, pkg func(file string) string) string {
	for _, e := range edits {
		fn, _, ok := around(e, files[e.File])
		if !ok {
			continue
		}
		return "'" + pkg(e.File) + "." + words.FuncName(fn) + "'"
	}
	return "FUNC"
}

// around returns the declared function that an edit stands in, and its lines.
func around(e model.Edit, src []byte) (*ast.FuncDecl, span, bool) {
	for _, d := range decls(src) {
		// Positions are offsets from 1, since a file is alone in its set.
		if fn, ok := d.Decl.(*ast.FuncDecl); ok && int(fn.Pos())-1 <= e.Start && e.End <= int(fn.End())-1 {
			return fn, d.span, true
		}
	}
	return nil, span{}, false
}

// A decl is a declaration of a file, with its lines.
type decl struct {
	ast.Decl
	span
}

// decls are those of a file; none where it cannot be read.
func decls(src []byte) (out []decl) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range syntax.Decls {
		out = append(out, decl{d, span{fset.PositionFor(d.Pos(), false).Line, fset.PositionFor(d.End(), false).Line}})
	}
	return out
}
