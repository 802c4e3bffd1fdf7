package drive

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/gocmd"
)

// A source is one file of a side.
type source struct {
	name   string // relative to the root, with slashes
	path   string // as the go command sees it
	src    []byte
	syntax *ast.File
	cgo    bool
}

// A side is one version of a package, type-checked.
type side struct {
	fset  *token.FileSet
	files []*source
	pkg   *types.Package
	info  *types.Info
	decls map[string]*decl
	byObj map[types.Object]*decl
	inits []*ast.FuncDecl
}

// A unit is a package of the candidate's tree with both of its sides.
type unit struct {
	pkg        gocmd.Package
	base, cand *side
}

// offset returns the byte offset of a position in its file.
func (s *side) offset(at token.Pos) int { return s.fset.PositionFor(at, false).Offset }

// line returns the line of a position.
func (s *side) line(at token.Pos) int { return s.fset.PositionFor(at, false).Line }

// A loader type-checks sides with what the go command compiled for their
// imports.
type loader struct {
	fset     *token.FileSet
	importer types.Importer
	sizes    types.Sizes
}

// newLoader takes what go list -export -deps says.
func newLoader(listed []gocmd.Package, goarch string) *loader {
	exports := make(map[string]string)
	for _, p := range listed {
		if p.Export != "" {
			exports[p.ImportPath] = p.Export
		}
	}
	l := &loader{fset: token.NewFileSet(), sizes: types.SizesFor("gc", goarch)}
	l.importer = importer.ForCompiler(l.fset, "gc", func(path string) (io.ReadCloser, error) {
		file, ok := exports[path]
		if !ok {
			return nil, fmt.Errorf("the go command does not list %s", path)
		}
		return os.Open(file)
	})
	return l
}

// load parses and type-checks the files of one side of p. contents has the
// text of each file by its name below root.
func (l *loader) load(p gocmd.Package, root string, contents map[string][]byte) (*side, error) {
	s := &side{fset: l.fset, info: &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
	}}
	names := make([]string, 0, len(contents))
	for name := range contents {
		names = append(names, name)
	}
	slices.Sort(names)
	var syntax []*ast.File
	for _, name := range names {
		f := &source{name: name, path: filepath.Join(root, filepath.FromSlash(name)), src: contents[name]}
		var err error
		if f.syntax, err = parser.ParseFile(l.fset, f.path, f.src, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return nil, fmt.Errorf("parsing %s: %w", name, err)
		}
		for _, im := range f.syntax.Imports {
			f.cgo = f.cgo || im.Path.Value == `"C"`
		}
		s.files = append(s.files, f)
		syntax = append(syntax, f.syntax)
	}
	var errs []error
	s.pkg, errs = l.check(p, syntax, s.info, nil)
	if len(errs) > 0 {
		return nil, fmt.Errorf("type-checking %s: %w", p.ImportPath, errs[0])
	}
	s.index()
	return s, nil
}

// check type-checks files as the package p, and returns all errors. extra has
// packages that are not compiled yet.
func (l *loader) check(p gocmd.Package, files []*ast.File, info *types.Info, extra map[string]*types.Package) (*types.Package, []error) {
	var errs []error
	conf := types.Config{
		Importer: alsoFrom{extra, l.importer}, Sizes: l.sizes, FakeImportC: true,
		Error: func(err error) { errs = append(errs, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	pkg, _ := conf.Check(p.ImportPath, l.fset, files, info) // errs has it
	return pkg, errs
}

// alsoFrom is an importer that knows some packages itself.
type alsoFrom struct {
	known map[string]*types.Package
	rest  types.Importer
}

func (a alsoFrom) Import(path string) (*types.Package, error) {
	if p := a.known[path]; p != nil {
		return p, nil
	}
	return a.rest.Import(path)
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

// importsOf returns the paths that texts import.
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
