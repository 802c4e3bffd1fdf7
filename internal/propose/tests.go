package propose

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
)

// A view is a package as its tests see it: its own files and the test files
// within it, or the external tests alone. It is checked leniently: what is
// imported by tests only is unknown, and expressions that involve it have no
// type.
type view struct {
	files []*file
	info  *types.Info
}

// testViews returns the views of a package, with its tests and of its
// external tests. Test files that do not parse or do not belong to this
// platform are left out.
func (p *Program) testViews(k *pkg) []*view {
	if k.views != nil {
		return k.views
	}
	k.views = []*view{}
	within, external := p.testFiles(k)
	if len(within) > 0 {
		k.views = append(k.views, p.check(k, k.PkgPath, append(within, k.files...)))
	}
	if len(external) > 0 {
		k.views = append(k.views, p.check(k, k.PkgPath+"_test", external))
	}
	return k.views
}

func (p *Program) testFiles(k *pkg) (within, external []*file) {
	if len(k.files) == 0 {
		return nil, nil
	}
	dir, platform := filepath.Dir(k.files[0].path), build.Default
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
		syntax, err := parser.ParseFile(p.fset, name, src, parser.ParseComments)
		if err != nil {
			continue
		}
		f := &file{name: p.rel(name), path: name, src: src, syntax: syntax, pkg: k, test: true}
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
	p      *Program
	k      *pkg
	edited bool
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
	if i.edited {
		return i.p.standard(path)
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
func (p *Program) config(k *pkg, onError func(error)) *types.Config {
	c := &types.Config{Importer: importer{p, k, false}, Sizes: k.TypesSizes, Error: onError}
	if k.Module != nil && k.Module.GoVersion != "" {
		c.GoVersion = "go" + strings.TrimPrefix(k.Module.GoVersion, "go")
	}
	return c
}

func (p *Program) check(k *pkg, path string, files []*file) *view {
	v := &view{files: files, info: newInfo()}
	var syntax []*ast.File
	for _, f := range files {
		syntax = append(syntax, f.syntax)
	}
	conf := p.config(k, func(error) {})
	conf.Check(path, p.fset, syntax, v.info) // errors are expected; see view
	return v
}

// eachFile calls f for every file of every loaded package with its types,
// and for the test files of package tests.
func (p *Program) eachFile(tests *pkg, f func(*file, *types.Info)) {
	for _, k := range p.pkgs {
		for _, one := range k.files {
			f(one, k.TypesInfo)
		}
	}
	for _, v := range p.testViews(tests) {
		for _, one := range v.files {
			if one.test {
				f(one, v.info)
			}
		}
	}
}
