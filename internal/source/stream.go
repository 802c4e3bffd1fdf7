package source

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// A Stream gives packages their syntax and types one after the other, and takes
// them away again: what a package imports comes from export data, so that no
// package is held for another. Its memory is that of the largest packages, not
// of all.
type Stream struct {
	// Packages have no syntax and no types but within With.
	Packages []*packages.Package

	whole   bool // all have been loaded at once
	origins map[string]origin
	readers chan *Importer // as many as packages are looked at at a time
	room    room
}

// What is held at a time, in bytes. As typed syntax with what rules keep of it,
// source takes many times its size. Types that were read from export data are
// worth keeping for the next package, but not all of them.
const (
	sourceAtOnce = 2 << 20
	exportAtOnce = 16 << 20 // by all readers together
)

// Open lists packages. Where pawl cannot read what the compiler of this toolchain
// exports ("go1.27.4"), they are loaded as Load does it, all at once.
func Open(cfg *packages.Config, toolchain string, patterns ...string) (*Stream, error) {
	pkgs, err := List(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	s := &Stream{Packages: pkgs, origins: origins(pkgs), readers: make(chan *Importer, runtime.GOMAXPROCS(0))}
	s.room.free = sync.NewCond(&s.room.mu)
	if !gorelease.Reads(toolchain) || !exported(s.origins) {
		s.whole = true
		all := *cfg
		all.Mode = packages.LoadSyntax | packages.NeedModule
		s.Packages, _, err = Load(&all, patterns...)
	}
	for range cap(s.readers) {
		s.readers <- nil
	}
	return s, err
}

// List lists packages with their files and what they import, without syntax and types.
func List(cfg *packages.Config, patterns ...string) ([]*packages.Package, error) {
	list := *cfg
	list.Mode = packages.LoadImports | packages.NeedDeps | packages.NeedExportFile | packages.NeedModule | packages.NeedTypesSizes
	return packages.Load(&list, patterns...)
}

// With calls use while a package has its syntax and types. Errors are in the
// package, as packages.Load leaves them. Of a large package, unread are the names
// in generated code that was left out of the syntax; else it is nil. With may be
// called by several goroutines, for different packages, and waits while others
// hold much.
func (s *Stream) With(p *packages.Package, use func(unread map[string]bool)) {
	if s.whole {
		use(nil)
		p.Syntax, p.TypesInfo = nil, nil
		return
	}
	size := sourceSize(p.CompiledGoFiles)
	s.room.enter(size)
	defer s.room.leave(size)
	m := <-s.readers
	if m == nil || m.read > exportAtOnce/cap(s.readers) {
		m = &Importer{fset: token.NewFileSet(), sizes: p.TypesSizes, origins: s.origins, known: make(map[string]*types.Package)}
	}
	defer func() { s.readers <- m }()
	use(m.fill(p, outlined(p, size)))
	for _, f := range p.Syntax {
		m.fset.RemoveFile(m.fset.File(f.FileStart))
	}
	p.Syntax, p.TypesInfo, p.Types, p.Fset = nil, nil, nil, nil
}

// fill parses and type-checks a package, with an outline of some files, and returns
// the names that were left out.
func (m *Importer) fill(p *packages.Package, outlined []string) (unread map[string]bool) {
	p.Fset, p.Types = m.fset, types.NewPackage(p.PkgPath, p.Name)
	var short []*ast.File
	for _, name := range p.CompiledGoFiles {
		f, err := parser.ParseFile(m.fset, name, nil, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			p.Errors = append(p.Errors, parseErrors(err)...)
		}
		if f == nil {
			continue
		}
		p.Syntax = append(p.Syntax, f)
		if slices.Contains(outlined, name) {
			if unread == nil {
				unread = make(map[string]bool)
			}
			outline(f, unread)
			short = append(short, f)
		}
	}
	p.TypesInfo = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
	conf := &types.Config{Importer: through{m, m.origins[p.PkgPath].renamed}, Sizes: p.TypesSizes, Error: func(err error) {
		if !spare(err, short) {
			p.Errors = append(p.Errors, typeError(p, err))
		}
	}}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	if err := types.NewChecker(conf, m.fset, p.Types, p.TypesInfo).Files(p.Syntax); err != nil && len(p.Errors) == 0 && !spare(err, short) {
		p.Errors = append(p.Errors, typeError(p, err))
	}
	p.IllTyped = len(p.Errors) > 0
	return unread
}

// parseErrors are the errors of a file that was not parsed, with their places.
func parseErrors(err error) []packages.Error {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []packages.Error{{Pos: "-", Msg: err.Error(), Kind: packages.ParseError}}
	}
	var out []packages.Error
	for _, e := range list {
		out = append(out, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
	}
	return out
}

// typeError is an error of the type checker, with its place.
func typeError(p *packages.Package, err error) packages.Error {
	var of types.Error
	if !errors.As(err, &of) {
		return packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.TypeError}
	}
	p.TypeErrors = append(p.TypeErrors, of)
	return packages.Error{Pos: of.Fset.Position(of.Pos).String(), Msg: of.Msg, Kind: packages.TypeError}
}

func sourceSize(files []string) int64 {
	var size int64
	for _, name := range files {
		if fi, err := os.Stat(name); err == nil {
			size += fi.Size()
		}
	}
	return size
}

// room bounds what is held at a time. What is larger than all of it is held
// alone.
type room struct {
	mu   sync.Mutex
	free *sync.Cond
	held int64
}

func (r *room) enter(size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.held > 0 && r.held+size > sourceAtOnce {
		r.free.Wait()
	}
	r.held += size
}

func (r *room) leave(size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held -= size
	r.free.Broadcast()
}
