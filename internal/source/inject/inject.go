// Package inject puts hooks into functions. For a function of a parsed file it
// returns the edits that name its parameters and results, begin it with a hook,
// and import what the hook calls. All lines stay where they are, so that
// stacks, profiles and coverage of the function with the hook name the lines
// that its author knows.
package inject

import (
	"fmt"
	"go/ast"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source"
)

// Params returns what a hook calls the receiver and the parameters of a
// function, and the edits that name those without a name: pawlp0, pawlp1.
func Params(f *source.File, fn *ast.FuncDecl) (names []string, edits []model.Edit) {
	fields := fn.Type.Params.List
	if fn.Recv != nil {
		fields = append([]*ast.Field{fn.Recv.List[0]}, fields...)
	}
	return named(f, fields, "pawlp")
}

// Results does the same for the results, pawlr0 and so on: a deferred function
// sees them by their names alone.
func Results(f *source.File, fn *ast.FuncDecl) (names []string, edits []model.Edit) {
	list := fn.Type.Results
	if list == nil {
		return nil, nil
	}
	names, edits = named(f, list.List, "pawlr")
	if !list.Opening.IsValid() { // one without a name stands without parentheses
		edits = []model.Edit{f.Insert(list.Pos(), "("+edits[0].New), f.Insert(list.End(), ")")}
	}
	return names, edits
}

func named(f *source.File, fields []*ast.Field, prefix string) (names []string, edits []model.Edit) {
	fresh := func() string { return fmt.Sprintf("%s%d", prefix, len(names)) }
	for _, field := range fields {
		if len(field.Names) == 0 {
			name := fresh()
			names, edits = append(names, name), append(edits, f.Insert(field.Type.Pos(), name+" "))
		}
		for _, id := range field.Names {
			name := id.Name
			if name == "_" {
				name = fresh()
				edits = append(edits, f.Replace(id, name))
			}
			names = append(names, name)
		}
	}
	return names, edits
}

// Open returns the edit that makes a body begin with a statement, which ends
// with a semicolon.
func Open(f *source.File, body *ast.BlockStmt, statement string) model.Edit {
	return f.Insert(body.Lbrace+1, " "+statement)
}

// Import returns the edit that imports a package under a name.
func Import(f *source.File, name, path string) model.Edit {
	return f.Insert(f.Syntax.Name.End(), fmt.Sprintf("; import %s %q", name, path))
}
