package find

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/source"
)

// mostChecks is how often one package is type-checked at most to find the
// fixes that break it: enough for four in a thousand.
const mostChecks = 100

// choose returns those fixes of a package with which it type-checks, and notes
// why the others are left. What overlaps with a fix is tried when that one is
// left itself.
func (w *workshop) choose(ctx context.Context, pkg string, rest []int) ([]int, error) {
	c := &choice{w: w, pkg: pkg, checks: mostChecks}
	for len(rest) > 0 {
		_, took, clashing, err := w.combine(append(slices.Clone(c.kept), rest...))
		if err != nil {
			return nil, err
		}
		if len(took) == len(c.kept) {
			break
		}
		if err := c.add(ctx, took[len(c.kept):]); err != nil {
			return nil, err
		}
		rest = clashing
	}
	for _, i := range rest {
		w.why[i] = "it overlaps with another fix, or declares the same name; run pawl find -fix once more"
	}
	return c.kept, nil
}

// A choice is the fixes of one package that are kept so far.
type choice struct {
	w      *workshop
	pkg    string
	kept   []int
	checks int // that may follow
}

// add takes in those of some fixes with which the package still type-checks:
// all at once, and else by halves. The error is for what prevents an answer.
func (c *choice) add(ctx context.Context, some []int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.checks == 0 {
		for _, i := range some {
			c.w.why[i] = "not tried: too many other fixes do not type-check in its package; run pawl find -fix once more"
		}
		return nil
	}
	c.checks--
	with := append(slices.Clone(c.kept), some...)
	files, _, _, err := c.w.combine(with)
	if err != nil {
		return err
	}
	broken := c.w.checker.check(c.pkg, files)
	switch {
	case broken == nil:
		c.kept = with
		return nil
	case len(some) == 1:
		c.w.why[some[0]] = "the package does not type-check with it: " + broken.Error()
		return nil
	}
	half := len(some) / 2
	return errors.Join(c.add(ctx, some[:half]), c.add(ctx, some[half:]))
}

// A checker type-checks packages with some of their files replaced.
type checker struct {
	pkgs map[string][]*packages.Package // by import path, with those that hold its tests
	std  importer
}

// newChecker loads packages with their tests, and what else their fixes may
// import.
func newChecker(ctx context.Context, o Options, patterns []string) (*checker, error) {
	cfg := &packages.Config{Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: o.Flags, Tests: true, Mode: packages.LoadSyntax | packages.NeedModule}
	pkgs, _, err := source.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("checking the fixes: %w", err)
	}
	c := &checker{pkgs: map[string][]*packages.Package{}, std: importer{}}
	for _, p := range pkgs {
		if standard(p) && p.ID == p.PkgPath {
			c.std[p.PkgPath] = p
		}
		if len(problems(p)) > 0 {
			continue // its tests did not type-check before; the package itself did
		}
		path := p.PkgPath
		if _, of, ok := strings.Cut(p.ID, " ["); ok {
			path = strings.TrimSuffix(of, ".test]")
		}
		c.pkgs[path] = append(c.pkgs[path], p)
	}
	return c, nil
}

// check type-checks a package, tests included, as it would be, and returns the
// first error. A fix leaves what a package exports as it is, so that each is
// checked against the others as they are.
func (c *checker) check(pkg string, fixed []FixedFile) error {
	overlay := map[string][]byte{}
	for _, file := range fixed {
		overlay[file.Path] = file.New
	}
	for _, p := range c.pkgs[pkg] {
		if err := check(p, c.std, overlay); err != nil {
			return err
		}
	}
	return nil
}

// added returns what the fixed files import that they did not import before,
// which other files of their packages need not import either.
func added(files []FixedFile) []string {
	var paths []string
	for _, file := range files {
		before := imports(file.Old)
		for _, path := range imports(file.New) {
			if !slices.Contains(before, path) && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// standard reports whether a package is of the standard library, which a fix
// may import from anywhere but there: it imports nothing else, so that no
// cycle comes of it.
func standard(p *packages.Package) bool {
	return (p.Module == nil || p.Module.Path == "std") && !strings.HasPrefix(p.PkgPath, "cmd/")
}

// check type-checks one package with some of its files replaced. What it does
// not import yet comes from the standard library.
func check(p *packages.Package, std importer, overlay map[string][]byte) error {
	var files []*ast.File
	changed := false
	for i, name := range p.CompiledGoFiles {
		text, ok := overlay[name]
		if !ok {
			files = append(files, p.Syntax[i])
			continue
		}
		changed = true
		file, err := parser.ParseFile(p.Fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	if !changed {
		return nil
	}
	known := importer(p.Imports)
	if !standard(p) {
		known = maps.Clone(std)
		maps.Copy(known, p.Imports)
	}
	conf := types.Config{Importer: known, Sizes: p.TypesSizes}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	_, err := conf.Check(p.PkgPath, p.Fset, files, nil)
	return err
}

// importer answers imports from packages that were loaded.
type importer map[string]*packages.Package

func (m importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m[path]; p != nil && p.Types != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("package %s was not loaded", path)
}
