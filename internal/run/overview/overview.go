// Package overview looks at a module for what pawl could do there. It reads
// files and asks git, builds nothing and runs nothing of the module's.
package overview

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Module is what there is in a module.
type Module struct {
	Name     string // its path, or else its directory
	At       string // where one is in it, by its slashed name from the module's root: what commands name is relative to it
	Packages []Package
	Handlers []string // functions that answer HTTP requests, as pawl bench-stub takes them
	Profiles []string // files of pprof's format, by slashed names from the module's root
	Base     string   // what the branch will be merged into; empty when it is not known
	Cut      bool     // there are more files than were looked at
}

// A Package is a directory with Go files.
type Package struct {
	Dir        string // as go test takes it, like ./wire
	Benchmarks []string
}

// maxFiles bounds the time of a look: of a larger module, a part says enough.
const maxFiles = 20_000

// Look looks at the module that dir is in. The error is tree.Locate's.
func Look(ctx context.Context, dir string, getenv func(string) string) (*Module, error) {
	place, err := tree.Locate(ctx, dir)
	if err != nil {
		return nil, err
	}
	m := &Module{Name: filepath.Base(place.Module), At: place.Within(dir)}
	if data, err := os.ReadFile(filepath.Join(place.Module, "go.mod")); err == nil {
		m.Name = moduleName(data, m.Name)
	}
	if err := m.walk(ctx, os.DirFS(place.Module)); err != nil {
		return nil, fmt.Errorf("looking at %s: %w", place.Module, err)
	}
	if base, err := tree.DefaultBase(ctx, place, getenv); err == nil && !onBase(ctx, place, base) {
		m.Base = base
	}
	return m, ctx.Err()
}

// onBase reports whether the branch has nothing that base has not.
func onBase(ctx context.Context, p *tree.Place, base string) bool {
	fork, err := tree.MergeBase(ctx, p, base, "HEAD")
	return err != nil || fork == p.Head && !p.Dirty
}

func moduleName(gomod []byte, otherwise string) string {
	for line := range strings.Lines(string(gomod)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "module" {
			return strings.Trim(f[1], "\"`")
		}
	}
	return otherwise
}

// walk looks at all files but those of nested modules and what the go command
// passes over.
func (m *Module) walk(ctx context.Context, root fs.FS) error {
	files := 0
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // what may not be read has nothing to say
			return nil
		case d.IsDir():
			if name != "." && passedOver(root, name) {
				return fs.SkipDir
			}
			return nil
		case files == maxFiles:
			m.Cut = true
			return fs.SkipAll
		}
		if d.Type().IsRegular() {
			files++
			m.file(root, name)
		}
		return nil
	})
}

func passedOver(root fs.FS, dir string) bool {
	base := path.Base(dir)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "vendor" {
		return true
	}
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil
}

func (m *Module) file(root fs.FS, name string) {
	if !strings.HasSuffix(name, ".go") {
		if isProfile(root, name) {
			m.Profiles = append(m.Profiles, name)
		}
		return
	}
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return
	}
	dir := strings.TrimSuffix("./"+path.Dir(name), "/.")
	i := slices.IndexFunc(m.Packages, func(p Package) bool { return p.Dir == dir })
	if i < 0 {
		i = len(m.Packages)
		m.Packages = append(m.Packages, Package{Dir: dir})
	}
	if strings.HasSuffix(name, "_test.go") {
		m.Packages[i].Benchmarks = append(m.Packages[i].Benchmarks, benchmarks(data)...)
		return
	}
	for _, f := range functions(data, "http.ResponseWriter") {
		if answers(f) {
			m.Handlers = append(m.Handlers, dir+"."+words.DeclName(f))
		}
	}
}

func benchmarks(source []byte) []string {
	var names []string
	for _, f := range functions(source, "testing.B") {
		if f.Recv == nil && strings.HasPrefix(f.Name.Name, "Benchmark") && f.Type.Params.NumFields() == 1 {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// functions returns the functions of a file that has the text; most have not,
// and are not parsed.
func functions(source []byte, text string) []*ast.FuncDecl {
	if !bytes.Contains(source, []byte(text)) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var all []*ast.FuncDecl
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all = append(all, f)
		}
	}
	return all
}

func answers(f *ast.FuncDecl) bool {
	if f.Type.Params.NumFields() != 2 || f.Body == nil || f.Type.TypeParams != nil {
		return false
	}
	first := f.Type.Params.List[0].Type
	last := f.Type.Params.List[len(f.Type.Params.List)-1].Type
	star, ok := last.(*ast.StarExpr)
	return ok && isHTTP(first, "ResponseWriter") && isHTTP(star.X, "Request")
}

func isHTTP(e ast.Expr, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "http"
}

// isProfile reports whether a file is called as profiles are, and is packed as
// pprof packs them.
func isProfile(root fs.FS, name string) bool {
	base := path.Base(name)
	switch ext := path.Ext(base); {
	case ext == ".pprof", ext == ".prof", ext == ".pgo", strings.HasSuffix(base, ".pb.gz"):
	case ext == ".out" && (strings.HasPrefix(base, "cpu") || strings.HasPrefix(base, "mem")):
	default:
		return false
	}
	f, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [2]byte
	_, err = io.ReadFull(f, magic[:])
	return err == nil && magic == [2]byte{0x1f, 0x8b}
}
