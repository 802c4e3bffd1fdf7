package difftest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// importSides is what the files of both sides of a package import.
type importSides struct{ base, cand []string }

func importsOf(texts map[string][]byte) []string {
	var paths []string
	for name, src := range texts {
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			continue // load will say so
		}
		for _, im := range f.Imports {
			if p := strings.Trim(im.Path.Value, "\"`"); p != "C" && p != "unsafe" && !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// effects says what of an import cannot be compared: both versions run in one
// process, so what a package does as it is initialized, it does for both.
func (im importSides) effects(listed []gocmd.Package) []string {
	known := make(map[string]gocmd.Package, len(listed))
	for _, p := range listed {
		known[p.ImportPath] = p
	}
	all := func(paths []string) map[string]bool {
		linked := make(map[string]bool)
		for _, path := range paths {
			linked[path] = true
			for _, dep := range known[path].Deps {
				linked[dep] = true
			}
		}
		return linked
	}
	base, cand := all(im.base), all(im.cand)
	var notes []string
	note := func(paths []string, other map[string]bool, who string) {
		for _, path := range paths {
			for _, name := range append([]string{path}, known[path].Deps...) {
				if other[name] {
					continue
				}
				if call := registers(known[name]); call != "" {
					notes = append(notes, fmt.Sprintf("only the %s imports %s, where initialization calls %s: what that changes elsewhere was not compared", who, path, call))
					break
				}
			}
		}
	}
	note(im.base, cand, "base")
	note(im.cand, base, "candidate")
	return notes
}

// registers returns a call by which an init function of a package reaches into
// another package, as those do that are imported for their effects; "" where
// there is none.
func registers(p gocmd.Package) string {
	if p.Standard && strings.Contains(p.ImportPath, "/internal/") {
		return "" // nothing outside the standard library sees it
	}
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // it was compiled: what is not read here is no reason to stop
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" && fn.Body != nil {
				if call := callOutside(f, fn); call != "" {
					return call
				}
			}
		}
	}
	return ""
}

// callOutside returns a call of another package's function in fn, as a
// statement of its own: its result is not what matters.
func callOutside(f *ast.File, fn *ast.FuncDecl) string {
	for st := range code.All[*ast.ExprStmt](fn.Body) {
		if c, ok := st.X.(*ast.CallExpr); ok {
			if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && importedAs(f, x.Name) {
					return x.Name + "." + sel.Sel.Name
				}
			}
		}
	}
	return ""
}

// importedAs reports whether a file calls an import by name.
func importedAs(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(im *ast.ImportSpec) bool {
		if im.Name != nil {
			return im.Name.Name == name
		}
		path := strings.Trim(im.Path.Value, "\"`")
		return path == name || strings.HasSuffix(path, "/"+name)
	})
}
