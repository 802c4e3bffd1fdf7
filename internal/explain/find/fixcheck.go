package find

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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

// A checker type-checks packages with some of their files replaced, one after the other.
// What they import comes from export data, and so does what their tests import: a test of
// the package itself cannot import what imports it. Tests of another package see what is
// exported alone, which a fix leaves as it is.
type checker struct {
	toolchain string
	listed    []*packages.Package
	byPath    map[string]*packages.Package
	tests     map[string][]string // of the package itself, by its import path
	now       *subject
}

// A subject is a package that is checked.
type subject struct {
	p    *packages.Package
	fset *token.FileSet
	imp  types.Importer
	read map[string]*ast.File
	sets [][]string // files that type-check together as they are: those of the package, and with its tests
}

// newChecker lists packages, what their fixes may import, and what their tests do.
func newChecker(ctx context.Context, o Options, toolchain string, pkgs, paths []string) (*checker, error) {
	tests, imports, err := listTests(ctx, o, pkgs)
	if err != nil {
		return nil, fmt.Errorf("checking the fixes: %w", err)
	}
	cfg := &packages.Config{Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: o.Flags}
	listed, err := source.List(cfg, slices.Concat(pkgs, paths, imports)...)
	if err != nil {
		return nil, fmt.Errorf("checking the fixes: %w", err)
	}
	c := &checker{toolchain: toolchain, listed: listed, byPath: map[string]*packages.Package{}, tests: tests}
	for _, p := range listed {
		c.byPath[p.PkgPath] = p
	}
	return c, nil
}

// check type-checks a package, alone and with its tests, as it would be, and returns the
// first error.
func (c *checker) check(pkg string, fixed []FixedFile) error {
	if c.now == nil || c.now.p.PkgPath != pkg {
		if c.byPath[pkg] == nil {
			return nil
		}
		c.subject(c.byPath[pkg])
	}
	overlay := map[string][]byte{}
	for _, file := range fixed {
		overlay[file.Path] = file.New
		if err := c.imports(file); err != nil {
			return err
		}
	}
	for _, set := range c.now.sets {
		if err := c.now.check(set, overlay); err != nil {
			return err
		}
	}
	return nil
}

// subject takes up a package, and lets go of the one before.
func (c *checker) subject(p *packages.Package) {
	fset := token.NewFileSet()
	s := &subject{p: p, fset: fset, imp: source.ImporterOf(fset, c.toolchain, c.listed).For(p), read: map[string]*ast.File{}}
	for _, set := range [][]string{p.CompiledGoFiles, slices.Concat(p.CompiledGoFiles, c.tests[p.PkgPath])} {
		if len(s.sets) > 0 && len(set) == len(s.sets[0]) {
			break // no tests
		}
		if s.check(set, nil) == nil {
			s.sets = append(s.sets, set)
		}
	}
	c.now = s
}

// imports returns an error for what a fixed file imports newly and its package may not: the
// standard library may be imported from anywhere but there. It imports nothing else, so
// that no cycle comes of it.
func (c *checker) imports(file FixedFile) error {
	for _, path := range added([]FixedFile{file}) {
		p := c.byPath[path]
		if c.now.p.Imports[path] == nil && path != "unsafe" && (p == nil || !standard(p) || standard(c.now.p)) {
			return fmt.Errorf("it would import %s", path)
		}
	}
	return nil
}

// check type-checks some files of the package, with some of them replaced.
func (s *subject) check(names []string, overlay map[string][]byte) error {
	var files []*ast.File
	for _, name := range names {
		text, replaced := overlay[name]
		file := s.read[name]
		if file == nil || replaced {
			var src any // nil reads the file
			if replaced {
				src = text
			}
			var err error
			if file, err = parser.ParseFile(s.fset, name, src, parser.SkipObjectResolution); err != nil {
				return err
			}
		}
		if !replaced {
			s.read[name] = file
		}
		files = append(files, file)
	}
	conf := types.Config{Importer: s.imp, Sizes: s.p.TypesSizes}
	if s.p.Module != nil && s.p.Module.GoVersion != "" {
		conf.GoVersion = "go" + s.p.Module.GoVersion
	}
	_, err := conf.Check(s.p.PkgPath, s.fset, files, nil)
	return err
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

// standard reports whether a package is of the standard library.
func standard(p *packages.Package) bool {
	return (p.Module == nil || p.Module.Path == "std") && !strings.HasPrefix(p.PkgPath, "cmd/")
}
