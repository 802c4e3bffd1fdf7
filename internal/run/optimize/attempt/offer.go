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
	if src == nil {
		return nil, span{}, false
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, e.File, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, span{}, false
	}
	for _, d := range syntax.Decls {
		from, to := fset.PositionFor(d.Pos(), false), fset.PositionFor(d.End(), false)
		if fn, ok := d.(*ast.FuncDecl); ok && from.Offset <= e.Start && e.End <= to.Offset {
			return fn, span{from.Line, to.Line}, true
		}
	}
	return nil, span{}, false
}
