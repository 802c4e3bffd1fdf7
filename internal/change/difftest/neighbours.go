package difftest

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"iter"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/sorted"
)

const (
	// mostNeighbours is how many packages are read that import a changed one.
	mostNeighbours = 16
	// mostMoreTests is how many packages' tests run beside those that were asked for.
	mostMoreTests = 2
)

// reach adds the callers of functions that cannot be driven themselves, those in
// other packages of the module included, and tests of such packages where no
// other tests name a changed function.
func (p *Plan) reach(ctx context.Context, all []*comparison, layer *layer) ([]*comparison, error) {
	callers, tests := through(all, p.cfg.Callers), p.unheard(all)
	if !callers && !tests {
		return all, nil
	}
	found, err := p.neighbours(ctx, all)
	if err != nil || len(found) == 0 {
		return all, err
	}
	if callers {
		near, err := p.unchanged(ctx, found[:min(len(found), mostNeighbours)], layer)
		if err != nil {
			return all, err
		}
		through(slices.Concat(all, near), p.cfg.Callers)
		for _, c := range near {
			if len(c.subjects) > 0 {
				all, p.near = append(all, c), append(p.near, c.pkg)
				p.testAlso(c.pkg)
			}
		}
	}
	if tests {
		for _, pkg := range found {
			p.testAlso(pkg)
		}
	}
	return all, nil
}

// testAlso adds a package to those whose tests record.
func (p *Plan) testAlso(pkg gocmd.Package) {
	if p.moreTests < mostMoreTests && !p.tests(pkg) && len(pkg.TestGoFiles)+len(pkg.XTestGoFiles) > 0 {
		p.cfg.Tests = append(slices.Clip(p.cfg.Tests), pkg)
		p.moreTests++
	}
}

func (p *Plan) tests(pkg gocmd.Package) bool {
	return slices.ContainsFunc(p.cfg.Tests, func(t gocmd.Package) bool { return t.ImportPath == pkg.ImportPath })
}

// neighbours lists the packages of the module that are built with a changed one,
// those that import one themselves first.
func (p *Plan) neighbours(ctx context.Context, all []*comparison) (found []gocmd.Package, err error) {
	var changed, patterns []string
	for _, c := range all {
		changed = append(changed, c.pkg.ImportPath)
		if m := c.pkg.Module; m != nil && m.Main && !slices.Contains(patterns, m.Path+"/...") {
			patterns = append(patterns, m.Path+"/...")
		}
	}
	if len(patterns) == 0 {
		return nil, nil
	}
	listed, err := p.cfg.Go.List(ctx, append([]string{"--"}, patterns...)...)
	if err != nil {
		return nil, fmt.Errorf("listing the packages that import the changed ones: %w", err)
	}
	imports := func(list []string) bool {
		return slices.ContainsFunc(changed, func(path string) bool { return slices.Contains(list, path) })
	}
	for _, pkg := range listed {
		if imports(pkg.Deps) && !slices.Contains(changed, pkg.ImportPath) && pkg.Error == nil && len(pkg.DepsErrors) == 0 {
			found = append(found, pkg)
		}
	}
	far := func(pkg gocmd.Package) int {
		if imports(pkg.Imports) {
			return 0
		}
		return 1
	}
	sorted.By(found, func(a, b gocmd.Package) int { return cmp.Compare(far(a), far(b)) })
	return found, nil
}

// unchanged type-checks packages that the change does not touch.
func (p *Plan) unchanged(ctx context.Context, pkgs []gocmd.Package, layer *layer) (out []*comparison, err error) {
	args := []string{"-export", "-deps", "--"}
	for _, pkg := range pkgs {
		args = append(args, pkg.ImportPath)
	}
	listed, err := p.list(ctx, layer, args)
	if err != nil {
		return nil, fmt.Errorf("compiling the packages that import the changed ones: %w", err)
	}
	l := newLoader(p.cfg.Go, listed)
	for _, pkg := range pkgs {
		_, texts, err := filesOf(pkg, p.cfg.Root, Change{}, build.Default)
		if err != nil {
			return nil, err
		}
		s, err := l.load(pkg, p.cfg.Root, texts)
		if err != nil {
			continue // its callers are not driven, as if there were none
		}
		out = append(out, compare(&unit{pkg: pkg, base: s, cand: s, by: l}))
	}
	return out, nil
}

// unheard reports whether there is a changed function that no tests are likely to
// call: those of its package do not name it, nor what calls it there, and no other
// package whose tests run is built with it.
func (p *Plan) unheard(all []*comparison) bool {
	return slices.ContainsFunc(all, func(c *comparison) bool {
		uses := func(t gocmd.Package) bool { return slices.Contains(t.Deps, c.pkg.ImportPath) }
		if slices.ContainsFunc(p.cfg.Tests, uses) {
			return false
		}
		named := namesIn(c.pkg)
		return slices.ContainsFunc(c.subjects, func(s *subject) bool {
			heard := named[s.base.fn.Name.Name]
			climb(s.base, false, []*comparison{c}, func(_ *comparison, d *decl, _ int) bool {
				heard = heard || named[d.fn.Name.Name]
				return !heard
			})
			return !heard && s.skipped == "" && !s.sequence()
		})
	})
}

func namesIn(pkg gocmd.Package) map[string]bool {
	names := make(map[string]bool)
	for f := range parsed(pkg.Dir, slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles)) {
		for id := range code.All[*ast.Ident](f) {
			names[id.Name] = true
		}
	}
	return names
}

// parsed shows files of a directory. Of one that cannot be parsed its build will say so.
func parsed(dir string, names []string) iter.Seq[*ast.File] {
	return func(yield func(*ast.File) bool) {
		for _, name := range names {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err == nil && !yield(f) {
				return
			}
		}
	}
}
