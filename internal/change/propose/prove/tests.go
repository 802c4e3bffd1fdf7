package prove

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A View is a package as its tests see it: its own files and the test files
// within it, or the external tests alone. It is checked leniently: what is
// imported by tests only is unknown, and expressions that involve it have no
// type.
type View struct {
	Files []*File
	Info  *types.Info
}

// TestViews returns the views of a package, with its tests and of its
// external tests. Test files that do not parse or do not belong to this
// platform are left out.
func (p *Surroundings) TestViews(k *Package) []*View {
	if k.views != nil {
		return k.views
	}
	k.views = []*View{}
	within, external := p.TestFiles(k)
	if len(within) > 0 {
		k.views = append(k.views, p.check(k, k.PkgPath, append(within, k.Files...)))
	}
	if len(external) > 0 {
		k.views = append(k.views, p.check(k, k.PkgPath+"_test", external))
	}
	return k.views
}

// TestFiles parses the test files of a package, those within it and those of
// its external tests. Files that do not parse or that are for other platforms
// are left out.
func (p *Surroundings) TestFiles(k *Package) (within, external []*File) {
	if len(k.Files) == 0 {
		return nil, nil
	}
	dir, platform := filepath.Dir(k.Files[0].Path), build.Default
	platform.BuildTags = p.tags
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	sort.Strings(names)
	for _, name := range names {
		if ok, err := platform.MatchFile(dir, filepath.Base(name)); err != nil || !ok {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		syntax, err := parser.ParseFile(p.Fset, name, src, parser.ParseComments)
		if err != nil {
			continue
		}
		f := &File{Name: p.rel(name), Path: name, Src: src, Syntax: syntax, Pkg: k, Test: true, Tree: code.Tree{Root: syntax}}
		switch syntax.Name.Name {
		case k.Name:
			within = append(within, f)
		case k.Name + "_test":
			external = append(external, f)
		}
	}
	return within, external
}

// importer resolves imports from what has been loaded, and for edited
// packages what they newly import of the standard library.
type importer struct {
	p        *Module
	k        *Package
	standard func(path string) (*types.Package, error) // of edited packages, else nil
}

// Import returns a loaded package. What only tests import is not loaded.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if dep := i.k.Imports[path]; dep != nil && dep.Types != nil && dep.Types.Complete() {
		return dep.Types, nil
	}
	if t := i.p.imports[path]; t != nil {
		return t, nil
	}
	if i.standard != nil {
		return i.standard(path)
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

// config returns how the packages of the module are type-checked.
func (p *Module) config(k *Package, onError func(error)) *types.Config {
	c := &types.Config{Importer: importer{p, k, nil}, Sizes: k.TypesSizes, Error: onError}
	if k.Module != nil && k.Module.GoVersion != "" {
		c.GoVersion = "go" + strings.TrimPrefix(k.Module.GoVersion, "go")
	}
	return c
}

func (p *Surroundings) check(k *Package, path string, files []*File) *View {
	v := &View{Files: files, Info: newInfo()}
	var syntax []*ast.File
	for _, f := range files {
		syntax = append(syntax, f.Syntax)
	}
	conf := p.config(k, func(error) {})
	conf.Check(path, p.Fset, syntax, v.Info) // errors are expected; see view
	return v
}

// EachFile calls f for every file of every loaded package with its types,
// and for the test files of package tests.
func (p *Surroundings) EachFile(tests *Package, f func(*File, *types.Info)) {
	for _, k := range p.Packages {
		for _, one := range k.Files {
			f(one, k.TypesInfo)
		}
	}
	for _, v := range p.TestViews(tests) {
		for _, one := range v.Files {
			if one.Test {
				f(one, v.Info)
			}
		}
	}
}
