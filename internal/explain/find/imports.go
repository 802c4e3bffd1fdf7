package find

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

func imports(src []byte) (paths []string) {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// tidyImports removes from the fixed file the imports that lost their last use
// and those that were added twice: each fix looks after its own only. A file
// that does not parse is returned as it is.
func tidyImports(old, fixed []byte) []byte {
	before, err := parser.ParseFile(token.NewFileSet(), "", old, 0)
	if err != nil {
		return fixed
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", fixed, parser.ParseComments)
	if err != nil {
		return fixed
	}
	changed := dropTwice(fset, f)
	for _, spec := range before.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if err == nil && name != "_" && name != "." && astutil.UsesImport(before, path) && !astutil.UsesImport(f, path) {
			changed = astutil.DeleteNamedImport(fset, f, name, path) || changed
		}
	}
	if !changed {
		return fixed
	}
	var b bytes.Buffer
	if err := format.Node(&b, fset, f); err != nil {
		return fixed
	}
	return b.Bytes()
}

// dropTwice removes repeated imports of one path without a name.
func dropTwice(fset *token.FileSet, f *ast.File) bool {
	seen, changed := map[string]bool{}, false
	for _, spec := range append([]*ast.ImportSpec(nil), f.Imports...) {
		if spec.Name != nil {
			continue
		}
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && seen[path] {
			// Both go, and one comes back.
			changed = astutil.DeleteImport(fset, f, path) || changed
			astutil.AddImport(fset, f, path)
		}
		seen[spec.Path.Value[1:len(spec.Path.Value)-1]] = true
	}
	return changed
}
