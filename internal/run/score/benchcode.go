package score

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/words"
)

// A source is one Go file by its name.
type source struct {
	name string
	data []byte
}

func testFiles(files []source) []source {
	return slices.DeleteFunc(slices.Clone(files), func(f source) bool { return !strings.HasSuffix(f.name, "_test.go") })
}

// declares returns the names of a package's top-level declarations, by the name
// in the package clause: a test package has names of its own. Methods are
// called Type.Method. Files that do not parse are passed over.
func declares(files []source) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f.name, f.data, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		names := all[file.Name.Name]
		if names == nil {
			names = map[string]bool{}
			all[file.Name.Name] = names
		}
		for _, d := range file.Decls {
			for _, n := range namesOf(d) {
				names[n] = true
			}
		}
	}
	return all
}

func namesOf(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && len(d.Recv.List) == 1 {
			return []string{words.DeclName(d)}
		}
		return []string{d.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
		return names
	}
	return nil
}

// function returns the text of a function that one of the files declares, in
// gofmt's style and without comments; "" where none does.
func function(files []source, name string) string {
	for _, f := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f.name, f.data, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				var b strings.Builder
				if format.Node(&b, fset, fn) == nil {
					return b.String()
				}
			}
		}
	}
	return ""
}

// extract returns a file with the functions of these names from a package's test
// files, and with all that they need of these files and that have does not
// declare. It is an error when one of the functions is not there, or when they
// stand in different packages.
func extract(files []source, funcs []string, have []source) ([]byte, error) {
	x := extraction{known: declares(have), picked: map[ast.Decl]bool{}}
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f.name, f.data, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil {
			x.files = append(x.files, parsed{f, file})
		}
	}
	for _, name := range funcs {
		if !x.pick(name) {
			return nil, fmt.Errorf("no test file of the fix declares %s", name)
		}
	}
	return x.text()
}

type parsed struct {
	source
	file *ast.File
}

type extraction struct {
	files  []parsed
	known  map[string]map[string]bool
	pkg    string
	picked map[ast.Decl]bool
}

// pick takes the declaration of a name, and those that it refers to.
func (x *extraction) pick(name string) bool {
	for _, f := range x.files {
		if x.pkg != "" && f.file.Name.Name != x.pkg {
			continue
		}
		for _, d := range f.file.Decls {
			if !slices.Contains(namesOf(d), name) {
				continue
			}
			if x.picked[d] {
				return true
			}
			x.pkg = f.file.Name.Name
			x.picked[d] = true
			x.follow(d)
			return true
		}
	}
	return false
}

// follow picks what a declaration mentions, and the methods of its types. What
// the parent has already stays as it is there.
func (x *extraction) follow(d ast.Decl) {
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !x.known[x.pkg][id.Name] {
			x.pick(id.Name)
		}
		return true
	})
	for _, name := range namesOf(d) {
		for _, f := range x.files {
			for _, m := range f.file.Decls {
				full := namesOf(m)
				if len(full) == 1 && strings.HasPrefix(full[0], name+".") && !x.known[x.pkg][full[0]] {
					x.pick(full[0])
				}
			}
		}
	}
}

func (x *extraction) text() ([]byte, error) {
	var body bytes.Buffer
	used := map[string]bool{}
	for _, f := range x.files {
		for _, d := range f.file.Decls {
			if !x.picked[d] {
				continue
			}
			start := d.Pos()
			if doc := docOf(d); doc != nil {
				start = doc.Pos()
			}
			base := f.file.FileStart
			body.WriteString("\n")
			body.Write(f.data[start-base : d.End()-base])
			body.WriteString("\n")
			ast.Inspect(d, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if id, ok := sel.X.(*ast.Ident); ok {
						used[id.Name] = true
					}
				}
				return true
			})
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\nimport (\n", x.pkg)
	for _, line := range x.imports(used) {
		out.WriteString("\t" + line + "\n")
	}
	out.WriteString(")\n")
	out.Write(body.Bytes())
	text, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("putting the benchmark in place: %w", err)
	}
	return text, nil
}

// imports returns the imports that the picked code uses by name, and those that
// are made for their effects alone or into the scope of the file.
func (x *extraction) imports(used map[string]bool) []string {
	var lines []string
	for _, f := range x.files {
		if f.file.Name.Name != x.pkg || !slices.ContainsFunc(f.file.Decls, func(d ast.Decl) bool { return x.picked[d] }) {
			continue
		}
		for _, imp := range f.file.Imports {
			line := imp.Path.Value
			name := importName(imp)
			if imp.Name != nil {
				line = imp.Name.Name + " " + line
			}
			if (used[name] || name == "_" || name == ".") && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// importName guesses the name of an import without one as the go command's tools
// do: the last element that is no version.
func importName(imp *ast.ImportSpec) string {
	if imp.Name != nil {
		return imp.Name.Name
	}
	p, _ := strconv.Unquote(imp.Path.Value)
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(p))
	}
	base, _, _ = strings.Cut(base, ".")
	return strings.TrimPrefix(strings.TrimSuffix(base, "-go"), "go-")
}

func docOf(d ast.Decl) *ast.CommentGroup {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}
