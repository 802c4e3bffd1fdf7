package prove

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
	"github.com/pawl-dev/pawl/internal/rulekit/index"
	"github.com/pawl-dev/pawl/internal/source"
)

// A Config says what to load.
type Config struct {
	Dir        string   // the module's directory in the snapshot, absolute
	Root       string   // the snapshot's root, absolute; file names are relative to it
	Env        []string // environment of the go command; nil is the process's own
	BuildFlags []string // flags for go list, such as -tags
	Patterns   []string // the packages that targets stand in
}

// A Program is the part of the main module that changes are proposed for, and all that is asked of it. It keeps what it has
// worked out, so it is for one goroutine.
type Program struct {
	*Module
	*Surroundings
	*Flows
	*Calls
	*Confinement
	*Editor

	memo map[any]any // what families have worked out, by a key of theirs; see Remember
	// GoRun runs the program in a directory with arguments, within the context that
	// the Program was loaded in: changes are proposed while that lasts.
	GoRun func(dir string, args ...string) (string, error)
}

// A Module is what was loaded, type-checked: its packages, files and functions, and which of them is at a place.
type Module struct {
	Fset     *token.FileSet
	root     string
	Packages []*Package
	Files    map[string]*File     // by name relative to root; no test files
	Funcs    map[string]*Function // declared functions, by types.Func.FullName
	imports  map[string]*types.Package
}

// Surroundings answer what is known of a place beyond the build that was loaded: in tests, in other builds, and by name.
type Surroundings struct {
	*Module
	tags   []string // build tags, for the choice of test files
	words  map[*Package]spoken
	others map[*Package]map[string]string // functions that files for other builds declare
	errors map[errorVar]bool              // package variables, and whether they are errors at all times
}

// Flows follow values through functions, and through the calls of the module in them.
type Flows struct {
	*Surroundings
	summaries map[ParamKey]*flow.Summary
	appends   map[string]*AppendInfo
}

// Calls are the static call graph of the module.
type Calls struct {
	*Module
	edges      map[string]*Edges
	literals   []functionValue // all of them; nil until somebody asks
	recovering []*Function     // by name; nil until somebody asks

	implementing map[*types.Func][]string // methods that a call of an interface's may run
}

// A Confinement answers who may be in a method at once, and what its receiver is then.
type Confinement struct {
	*Calls
	around  *Surroundings
	writers map[writer]bool

	synchronisers map[synchroniser]string
	tentative     []synchroniser // those that are worked out, and what they have come to
	lockers       map[*Function]string
	asking        map[*Function]bool
	graphs        map[*ast.BlockStmt]*cfg.CFG // see panicGraph
}

// An Editor makes edits of files, and type-checks what becomes of them.
type Editor struct {
	*Module
	calls   *Calls
	dir     string                    // of the module
	env     []string                  // for the go command
	sourced bool                      // imports were type-checked from source
	stdlib  map[string]*types.Package // loaded for edits; nil where that failed
	settled map[string]settlement     // by the edits
}

// A Package is a package of the main module.
type Package struct {
	*packages.Package
	Files  []*File
	views  []*View // the package with its tests, and its external tests
	cgo    bool
	index  *index.Index
	unread *unread // see unreadOf
}

// Index lists where things are used in the package, as rules see it.
func (k *Package) Index() *index.Index {
	if k.index == nil {
		k.index = index.New(inspector.New(k.Syntax), k.TypesInfo, k.Types)
	}
	return k.index
}

// A File is a source file of the main module.
type File struct {
	Name   string // relative to the root, with slashes
	Path   string
	Src    []byte
	Syntax *ast.File
	Pkg    *Package
	Test   bool
	code.Tree
}

// A Function is a declared function of the main module with a body.
type Function struct {
	Obj   *types.Func
	Decl  *ast.FuncDecl
	File  *File
	types *types.Info // of a test's view; nil is that of the package
}

// Info returns the types of the package, or of the test view that f is from.
//
//go:noinline
func (f *Function) Info() *types.Info {
	if f.types != nil {
		return f.types
	}
	return f.File.Pkg.TypesInfo
}

// Remember returns what work returns, which it runs once for each key of a
// program. A key is of a type of its own, as those of a context are.
func Remember[T any](p *Program, key any, work func() T) T {
	if known, ok := p.memo[key]; ok {
		return known.(T)
	}
	found := work()
	p.memo[key] = found
	return found
}

// Load type-checks the packages that cfg.Patterns name and what they import of
// the main module. A package that does not compile is an error.
func Load(ctx context.Context, cfg Config) (*Program, error) {
	paths, err := moduleClosure(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p := newProgram(ctx, cfg)
	loaded, sourced, err := source.Load(&packages.Config{
		Mode: packages.LoadSyntax | packages.NeedModule, Context: ctx, Dir: cfg.Dir, Env: cfg.Env, BuildFlags: cfg.BuildFlags, Fset: p.Fset,
	}, paths...)
	if err != nil {
		return nil, fmt.Errorf("loading the packages to change: %w", err)
	}
	p.sourced = sourced
	sort.Slice(loaded, func(i, j int) bool { return loaded[i].PkgPath < loaded[j].PkgPath })
	for _, lp := range loaded {
		if len(lp.Errors) > 0 {
			return nil, fmt.Errorf("loading %s: %w; make it compile and try again", lp.PkgPath, lp.Errors[0])
		}
		if err := p.add(lp); err != nil {
			return nil, err
		}
	}
	if len(p.Packages) == 0 {
		return nil, errors.New("no package of the main module matches " + strings.Join(cfg.Patterns, " "))
	}
	return p, nil
}

func newProgram(ctx context.Context, cfg Config) *Program {
	m := &Module{Fset: token.NewFileSet(), root: cfg.Root, Files: map[string]*File{}, Funcs: map[string]*Function{}, imports: map[string]*types.Package{}}
	around := &Surroundings{Module: m, tags: buildTags(cfg.BuildFlags), words: map[*Package]spoken{}, others: map[*Package]map[string]string{}, errors: map[errorVar]bool{}}
	calls := &Calls{Module: m, edges: map[string]*Edges{}, implementing: map[*types.Func][]string{}}
	return &Program{
		Module: m, Surroundings: around, Calls: calls,
		Flows:       &Flows{Surroundings: around, summaries: map[ParamKey]*flow.Summary{}, appends: map[string]*AppendInfo{}},
		Confinement: &Confinement{Calls: calls, around: around, writers: map[writer]bool{}, synchronisers: map[synchroniser]string{}, lockers: map[*Function]string{}, asking: map[*Function]bool{}},
		Editor:      &Editor{Module: m, calls: calls, dir: cfg.Dir, env: cfg.Env, stdlib: map[string]*types.Package{}, settled: map[string]settlement{}},
		memo:        map[any]any{}, GoRun: goRunner(ctx, cfg.Env),
	}
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
// dependencies in the main module.
func moduleClosure(ctx context.Context, cfg Config) ([]string, error) {
	all, err := source.Closure(&packages.Config{Context: ctx, Dir: cfg.Dir, Env: cfg.Env, BuildFlags: cfg.BuildFlags}, cfg.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing the packages to change: %w", err)
	}
	var paths []string
	for _, lp := range all {
		paths = append(paths, lp.PkgPath)
	}
	if len(paths) == 0 {
		return nil, errors.New("no package of the main module matches " + strings.Join(cfg.Patterns, " "))
	}
	return paths, nil
}

func (p *Module) add(lp *packages.Package) error {
	k := &Package{Package: lp}
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
		f := &File{Name: p.rel(path), Path: path, Src: src, Syntax: syntax, Pkg: k, Tree: code.Tree{Root: syntax}}
		k.Files = append(k.Files, f)
		p.Files[f.Name] = f
		p.declare(f)
	}
	p.Packages = append(p.Packages, k)
	p.imports[lp.PkgPath] = lp.Types
	for path, dep := range lp.Imports {
		if dep.Types != nil && dep.Types.Complete() {
			p.imports[path] = dep.Types
		}
	}
	return nil
}

func (p *Module) declare(f *File) {
	for _, d := range f.Syntax.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			continue
		}
		if obj, ok := f.Pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			p.Funcs[obj.FullName()] = &Function{Obj: obj, Decl: decl, File: f}
		}
	}
}

func (p *Module) rel(path string) string { return source.Rel(p.root, path) }

// Function returns the declaration of fn in the main module, or nil: fn is of
// another module, an interface method, or without a body.
func (p *Module) Function(fn *types.Func) *Function {
	return p.Funcs[fn.Origin().FullName()]
}

// InModule reports whether a loaded package of the main module declares obj.
func (p *Module) InModule(obj types.Object) bool {
	if obj.Pkg() == nil {
		return false
	}
	return slices.ContainsFunc(p.Packages, func(k *Package) bool { return k.PkgPath == obj.Pkg().Path() })
}

// Pos returns the place of a position.
func (p *Module) Pos(at token.Pos) model.Pos {
	q := p.Fset.PositionFor(at, false)
	return model.Pos{File: p.rel(q.Filename), Line: q.Line}
}

// Offset returns the byte offset of a position in its file.
//
//go:noinline
func (p *Module) Offset(at token.Pos) int { return p.Fset.PositionFor(at, false).Offset }

// Source returns the text of a node.
func (p *Module) Source(f *File, n ast.Node) string {
	return string(f.Src[p.Offset(n.Pos()):p.Offset(n.End())])
}
