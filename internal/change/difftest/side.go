package difftest

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/source"
)

// A file is one of a side.
type file struct {
	*source.File // its name is relative to the root, with slashes
	cgo          bool
}

// A side is one version of a package, type-checked.
type side struct {
	files []*file
	pkg   *types.Package
	info  *types.Info
	decls map[string]*decl
	byObj map[types.Object]*decl
	inits []*decl
}

// A unit is a package of the candidate's tree with both of its sides.
type unit struct {
	pkg        gocmd.Package
	base, cand *side
	by         *loader
}

// A loader type-checks sides with what the go command compiled for their
// imports.
type loader struct {
	*source.Importer
	fset *token.FileSet
}

// newLoader takes what go list -export -deps says.
func newLoader(g *gocmd.Go, listed []gocmd.Package) *loader {
	fset := token.NewFileSet()
	return &loader{source.NewImporter(fset, g, listed), fset}
}

// load parses and type-checks the files of one side of p. contents has the
// text of each file by its name below root.
func (l *loader) load(p gocmd.Package, root string, contents map[string][]byte) (*side, error) {
	s := &side{info: &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}, // for what is constant
	}}
	var syntax []*ast.File
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		parsed, err := source.Parse(l.fset, name, filepath.Join(root, filepath.FromSlash(name)), contents[name])
		if err != nil {
			return nil, fmt.Errorf("parsing %s: %w", name, err)
		}
		f := &file{File: parsed}
		for _, im := range f.Syntax.Imports {
			f.cgo = f.cgo || im.Path.Value == `"C"`
		}
		s.files = append(s.files, f)
		syntax = append(syntax, f.Syntax)
	}
	var errs []error
	s.pkg, errs = l.Check(p, syntax, s.info)
	if len(errs) > 0 {
		return nil, fmt.Errorf("type-checking %s: %w", p.ImportPath, errs[0])
	}
	s.index()
	return s, nil
}

// filesOf returns the texts of the base's files of p, and the candidate's.
// Both have the files that are built here only.
func filesOf(p gocmd.Package, root string, c Change, ctxt build.Context) (base, cand map[string][]byte, err error) {
	base, cand = make(map[string][]byte), make(map[string][]byte)
	rel, err := filepath.Rel(root, p.Dir)
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.ToSlash(rel)
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		file := path.Join(dir, name)
		now, changed := c.After[file]
		if !changed {
			if now, err = os.ReadFile(filepath.Join(p.Dir, name)); err != nil {
				return nil, nil, fmt.Errorf("reading a source file: %w", err)
			}
		}
		cand[file] = now
		switch {
		case !changed:
			base[file] = now
		case c.Before[file] != nil:
			base[file] = c.Before[file]
		}
	}
	for file, was := range c.Before {
		if path.Dir(file) == dir && was != nil && c.After[file] == nil && built(ctxt, file, was) {
			base[file] = was
		}
	}
	return base, cand, nil
}

// built reports whether a file that the candidate does not have was part of
// the package here.
func built(ctxt build.Context, file string, src []byte) bool {
	if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
		return false
	}
	ctxt.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(src))), nil }
	ok, err := ctxt.MatchFile(path.Dir(file), path.Base(file))
	return err == nil && ok
}
