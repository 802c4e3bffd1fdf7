package source

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// An origin is where the types of a package can be had from.
type origin struct {
	export  string            // the file of its export data, or ""
	files   []string          // absolute
	renamed map[string]string // what an import in the files stands for, where it is another path
}

// An Importer resolves imports from export data, or all from source. It is for
// one goroutine.
type Importer struct {
	fset    *token.FileSet
	sizes   types.Sizes
	all     bool // from source
	origins map[string]origin
	known   map[string]*types.Package
	read    int // bytes of export data that known came from
}

// NewImporter takes what go list -export -deps says.
func NewImporter(fset *token.FileSet, g *gocmd.Go, list []gocmd.Package) *Importer {
	m := &Importer{
		fset: fset, sizes: types.SizesFor("gc", g.Vars["GOARCH"]),
		origins: make(map[string]origin, len(list)), known: make(map[string]*types.Package),
	}
	for _, p := range list {
		s := origin{export: p.Export, renamed: p.ImportMap}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			s.files = append(s.files, filepath.Join(p.Dir, name))
		}
		m.origins[p.ImportPath] = s
	}
	m.all = !gorelease.Reads(g.Version) || !exported(m.origins)
	return m
}

// ImporterOf takes packages that List returned, and the go command that listed them
// ("go1.27.4").
func ImporterOf(fset *token.FileSet, toolchain string, pkgs []*packages.Package) *Importer {
	from := origins(pkgs)
	return &Importer{
		fset: fset, sizes: pkgs[0].TypesSizes, origins: from, known: make(map[string]*types.Package),
		all: !gorelease.Reads(toolchain) || !exported(from),
	}
}

// For resolves the imports of one package that was listed.
func (m *Importer) For(p *packages.Package) types.Importer {
	return through{m, m.origins[p.PkgPath].renamed}
}

// exported reports whether export data can be read, by one of the packages: a
// compiler writes all in one version. What newer source declares may stand in any.
func exported(origins map[string]origin) bool {
	for path, from := range origins {
		if from.export != "" {
			_, _, err := readExport(token.NewFileSet(), from.export, path, make(map[string]*types.Package))
			return err == nil
		}
	}
	return true
}

// Further returns the types of a package that List returned, beside those of packages that are known already. These
// came from source, or not, as Load reports it.
func Further(fset *token.FileSet, of *packages.Package, source bool, known map[string]*types.Package) (*types.Package, error) {
	m := &Importer{fset: fset, sizes: of.TypesSizes, all: source, origins: origins([]*packages.Package{of}), known: known}
	return m.Import(of.PkgPath)
}

// origins returns where packages, and all that they import, can be had from.
func origins(pkgs []*packages.Package) map[string]origin {
	out := make(map[string]origin)
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		s := origin{export: p.ExportFile, files: p.GoFiles, renamed: make(map[string]string)}
		for path, dep := range p.Imports {
			s.renamed[path] = dep.PkgPath
		}
		out[p.PkgPath] = s
	})
	return out
}

// Import returns the types of a package.
func (m *Importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m.known[path]; p != nil && p.Complete() {
		return p, nil
	}
	s, ok := m.origins[path]
	switch {
	case !ok:
		return nil, fmt.Errorf("the go command does not list %s", path)
	case m.all:
		return m.check(path, s), nil
	case s.export == "":
		return nil, fmt.Errorf("the go command has not compiled %s", path)
	}
	p, size, err := readExport(m.fset, s.export, path, m.known)
	m.read += size
	return p, err
}

// Add makes a package known that the go command does not list.
func (m *Importer) Add(p *types.Package) { m.known[p.Path()] = p }

// Check type-checks files as a package that the go command lists, into info,
// and returns all errors. The package is as complete as they let it be.
func (m *Importer) Check(p gocmd.Package, files []*ast.File, info *types.Info) (*types.Package, []error) {
	var errs []error
	conf := types.Config{
		Importer: through{m, p.ImportMap}, Sizes: m.sizes, FakeImportC: true,
		Error: func(err error) { errs = append(errs, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	pkg, _ := conf.Check(p.ImportPath, m.fset, files, info) // errs has it
	return pkg, errs
}

// check type-checks what a package declares. Its errors are those of code that
// is newer than this program, and leave out the one declaration.
func (m *Importer) check(path string, s origin) *types.Package {
	var files []*ast.File
	for _, name := range s.files {
		if f, _ := parser.ParseFile(m.fset, name, nil, parser.SkipObjectResolution); f != nil {
			files = append(files, f)
		}
	}
	p := declarations(m.fset, m.sizes, path, files, through{m, s.renamed})
	m.known[path] = p
	return p
}

// through resolves the imports of one package.
type through struct {
	to      *Importer
	renamed map[string]string
}

func (t through) Import(path string) (*types.Package, error) {
	if to, ok := t.renamed[path]; ok {
		path = to
	}
	return t.to.Import(path)
}

// declarations type-checks what files declare, without function bodies, as far
// as this program can.
func declarations(fset *token.FileSet, sizes types.Sizes, path string, files []*ast.File, imp types.Importer) *types.Package {
	conf := types.Config{Importer: imp, Sizes: sizes, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}}
	p, _ := conf.Check(path, fset, files, nil) // see the comment of check
	return p
}

// readExport reads a file that go list -export names, and returns how many bytes the types came from. known are
// packages that it may refer to, and is added to.
func readExport(fset *token.FileSet, file, path string, known map[string]*types.Package) (*types.Package, int, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the types of %s: %w", path, err)
	}
	defer f.Close()
	data, err := section(f)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the types of %s: %w", path, err)
	}
	p, err := gcexportdata.Read(bytes.NewReader(data), fset, known, path)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the types of %s: %w", path, err)
	}
	return p, len(data), nil
}
