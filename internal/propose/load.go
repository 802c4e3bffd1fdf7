package propose

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Config says what to load.
type Config struct {
	Dir        string   // the module's directory in the snapshot, absolute
	Root       string   // the snapshot's root, absolute; file names are relative to it
	Env        []string // environment of the go command; nil is the process's own
	BuildFlags []string // flags for go list, such as -tags
	Patterns   []string // the packages that targets stand in
}

// A Program is the part of the main module that changes are proposed for,
// type-checked. It keeps what it has worked out, so it is for one goroutine.
type Program struct {
	fset  *token.FileSet
	root  string
	tags  []string // build tags, for the choice of test files
	pkgs  []*pkg
	files map[string]*file     // by name relative to root; no test files
	funcs map[string]*function // declared functions, by types.Func.FullName

	summaries map[paramKey]*summary
	appends   map[string]*appendInfo
	writers   map[string]bool
	edges     map[string]*edges
	literals  map[string][]string // signature → functions that a value of it may run
	imports   map[string]*types.Package
	words     map[*pkg]map[string]bool
	others    map[*pkg]map[string]string // functions that files for other builds declare
	hinted    map[model.Pos]bool         // lines that capacity-hint has a change for
	told      *string                    // where errors are told apart, once that has been looked for

	dir      string                    // of the module
	env      []string                  // for the go command
	stdlib   map[string]*types.Package // loaded for edits; nil where that failed
	compared map[string]comparison     // of generated code, by its source; see matches
	// goRun runs the program in a folder with arguments, within the context that
	// the Program was loaded in: changes are proposed while that lasts.
	goRun func(dir string, args ...string) (string, error)
}

// A pkg is a package of the main module.
type pkg struct {
	*packages.Package
	files []*file
	views []*view // the package with its tests, and its external tests
	cgo   bool
}

// A file is a source file of the main module.
type file struct {
	name    string // relative to the root, with slashes
	path    string
	src     []byte
	syntax  *ast.File
	pkg     *pkg
	test    bool
	parents map[ast.Node]ast.Node
}

// A function is a declared function of the main module with a body.
type function struct {
	obj   *types.Func
	decl  *ast.FuncDecl
	file  *file
	types *types.Info // of a test's view; nil is that of the package
}

func (f *function) info() *types.Info {
	if f.types != nil {
		return f.types
	}
	return f.file.pkg.TypesInfo
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedTypesSizes | packages.NeedModule

// Load type-checks the packages that cfg.Patterns name and what they import of
// the main module. A package that does not compile is an error.
func Load(ctx context.Context, cfg Config) (*Program, error) {
	paths, err := moduleClosure(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p := &Program{
		fset: token.NewFileSet(), root: cfg.Root, tags: buildTags(cfg.BuildFlags),
		files: map[string]*file{}, funcs: map[string]*function{},
		summaries: map[paramKey]*summary{}, appends: map[string]*appendInfo{},
		writers: map[string]bool{}, edges: map[string]*edges{},
		imports: map[string]*types.Package{}, words: map[*pkg]map[string]bool{}, others: map[*pkg]map[string]string{},
		dir: cfg.Dir, env: cfg.Env, stdlib: map[string]*types.Package{},
		hinted:   map[model.Pos]bool{},
		compared: map[string]comparison{}, goRun: goRunner(ctx, cfg.Env),
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: loadMode, Context: ctx, Dir: cfg.Dir, Env: cfg.Env, BuildFlags: cfg.BuildFlags, Fset: p.fset,
	}, paths...)
	if err != nil {
		return nil, fmt.Errorf("loading the packages to change: %w", err)
	}
	sort.Slice(loaded, func(i, j int) bool { return loaded[i].PkgPath < loaded[j].PkgPath })
	for _, lp := range loaded {
		if len(lp.Errors) > 0 {
			return nil, fmt.Errorf("loading %s: %w; make it compile and try again", lp.PkgPath, lp.Errors[0])
		}
		if err := p.add(lp); err != nil {
			return nil, err
		}
	}
	if len(p.pkgs) == 0 {
		return nil, errors.New("no package of the main module matches " + strings.Join(cfg.Patterns, " "))
	}
	return p, nil
}

// buildTags returns the tags in a list of build flags.
func buildTags(flags []string) []string {
	var list string
	for i, f := range flags {
		name, value, has := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch {
		case name == "tags" && has:
			list = value
		case name == "tags" && i+1 < len(flags):
			list = flags[i+1]
		}
	}
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// moduleClosure returns the import paths of the matching packages and of their
// dependencies in the main module. Names alone are cheap to load.
func moduleClosure(ctx context.Context, cfg Config) ([]string, error) {
	named, err := packages.Load(&packages.Config{
		Mode:    packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Context: ctx, Dir: cfg.Dir, Env: cfg.Env, BuildFlags: cfg.BuildFlags,
	}, cfg.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing the packages to change: %w", err)
	}
	var paths []string
	packages.Visit(named, func(lp *packages.Package) bool {
		if lp.Module != nil && lp.Module.Main {
			paths = append(paths, lp.PkgPath)
		}
		return true
	}, nil)
	if len(paths) == 0 {
		return nil, errors.New("no package of the main module matches " + strings.Join(cfg.Patterns, " "))
	}
	return paths, nil
}

func (p *Program) add(lp *packages.Package) error {
	k := &pkg{Package: lp}
	given := map[string]bool{}
	for _, name := range lp.GoFiles {
		given[name] = true
	}
	for i, syntax := range lp.Syntax {
		path := lp.CompiledGoFiles[i]
		if !given[path] { // generated by cgo, outside the tree
			k.cgo = true
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading a source file: %w", err)
		}
		f := &file{name: p.rel(path), path: path, src: src, syntax: syntax, pkg: k}
		k.files = append(k.files, f)
		p.files[f.name] = f
		p.declare(f)
	}
	p.pkgs = append(p.pkgs, k)
	p.imports[lp.PkgPath] = lp.Types
	for path, dep := range lp.Imports {
		if dep.Types != nil && dep.Types.Complete() {
			p.imports[path] = dep.Types
		}
	}
	return nil
}

func (p *Program) declare(f *file) {
	for _, d := range f.syntax.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			continue
		}
		if obj, ok := f.pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			p.funcs[obj.FullName()] = &function{obj: obj, decl: decl, file: f}
		}
	}
}

// rel returns a file name relative to the root, with slashes.
func (p *Program) rel(path string) string {
	for _, root := range []string{p.root, evalSymlinks(p.root)} {
		if r, err := filepath.Rel(root, path); err == nil && r != ".." && !strings.HasPrefix(r, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(r)
		}
	}
	return filepath.ToSlash(path)
}

func evalSymlinks(path string) string {
	if e, err := filepath.EvalSymlinks(path); err == nil {
		return e
	}
	return path
}

// function returns the declaration of fn in the main module, or nil: fn is of
// another module, an interface method, or without a body.
func (p *Program) function(fn *types.Func) *function {
	return p.funcs[fn.Origin().FullName()]
}

// local reports whether fn belongs to a loaded package of the main module.
func (p *Program) local(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	for _, k := range p.pkgs {
		if k.PkgPath == fn.Pkg().Path() {
			return true
		}
	}
	return false
}

// pos returns the place of a position.
func (p *Program) pos(at token.Pos) model.Pos {
	q := p.fset.PositionFor(at, false)
	return model.Pos{File: p.rel(q.Filename), Line: q.Line}
}

// offset returns the byte offset of a position in its file.
func (p *Program) offset(at token.Pos) int { return p.fset.PositionFor(at, false).Offset }

// source returns the text of a node.
func (p *Program) source(f *file, n ast.Node) string {
	return string(f.src[p.offset(n.Pos()):p.offset(n.End())])
}
