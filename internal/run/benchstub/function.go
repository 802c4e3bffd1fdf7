package benchstub

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/internal/words"
)

// A function is where FUNC is declared.
type function struct {
	*source.File // in the copy
	pkg          gocmd.Package
	name         string // "Parse"
	recv         string // the receiver's type: "T", or ""
	ptr          bool   // the receiver is a pointer
	decl         *ast.FuncDecl
}

func (f *function) short() string {
	switch {
	case f.recv == "":
		return f.name
	case f.ptr:
		return "(*" + f.recv + ")." + f.name
	}
	return f.recv + "." + f.name
}

func (f *function) full() string { return f.pkg.ImportPath + "." + f.short() }

// answersTo reports whether the function may be called name, as seen from the
// package whose directory is here: with or without a package in front, and with
// the receiver's type with or without a star.
func (f *function) answersTo(name, here string) bool {
	pkgs := []string{"", f.pkg.ImportPath, f.pkg.Name}
	if rel, err := filepath.Rel(here, f.pkg.Dir); err == nil {
		rel = filepath.ToSlash(rel)
		pkgs = append(pkgs, rel, "./"+rel)
	}
	for i, c := range f.pkg.ImportPath {
		if c == '/' {
			pkgs = append(pkgs, f.pkg.ImportPath[i+1:])
		}
	}
	names := []string{f.short()}
	if f.recv != "" {
		names = append(names, f.recv+"."+f.name, "*"+f.recv+"."+f.name)
	}
	for _, n := range names {
		for _, p := range pkgs {
			if p == "" && n == name || p != "" && p+"."+n == name {
				return true
			}
		}
	}
	return false
}

// find returns the function that name means, seen from the directory here: one of
// that package before those of the rest of the module.
func find(ctx context.Context, g *gocmd.Go, here, name string) (*function, error) {
	pkgs, err := g.List(ctx, "./...")
	if err != nil {
		return nil, err
	}
	var all, found, near []*function
	for _, p := range pkgs {
		list, err := functionsOf(p)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	for _, f := range all {
		if !f.answersTo(name, here) {
			continue
		}
		found = append(found, f)
		if f.pkg.Dir == here {
			near = append(near, f)
		}
	}
	if len(near) > 0 {
		found = near
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, testbed.Usage(fmt.Sprintf("no function %s in this module%s", name, alike(all, name)))
	}
	return nil, testbed.Usage(fmt.Sprintf("%s may be %s: name one with its package", name, listed(found)))
}

func functionsOf(p gocmd.Package) ([]*function, error) {
	var out []*function
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		path := filepath.Join(p.Dir, name)
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading a source file: %w", err)
		}
		file, err := source.Parse(token.NewFileSet(), name, path, src)
		if err != nil {
			continue // the build says so, where it matters
		}
		for _, d := range file.Syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name == "_" || fn.Recv == nil && fn.Name.Name == "init" {
				continue
			}
			out = append(out, &function{File: file, pkg: p, name: fn.Name.Name, decl: fn, recv: words.Receiver(fn), ptr: words.IsPointer(fn)})
		}
	}
	return out, nil
}

// alike names functions whose last name is the same but for upper and lower
// case, or begins alike.
func alike(all []*function, name string) string {
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	var close []*function
	for _, f := range all {
		n := strings.ToLower(f.name)
		if n == last || len(last) >= 3 && (strings.HasPrefix(n, last) || strings.HasPrefix(last, n) && len(n) >= 3) {
			close = append(close, f)
		}
	}
	if len(close) == 0 {
		return ""
	}
	return "; there is " + listed(close)
}

// listed names up to six functions.
func listed(list []*function) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.full()
	}
	slices.Sort(names)
	return words.Some(names, 6)
}
