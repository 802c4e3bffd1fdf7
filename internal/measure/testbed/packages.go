package testbed

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

var benchmarkFunc = regexp.MustCompile(`(?m)^func (Benchmark\w*)\(`)

// A Find is what Benchmarked found: the packages of one checkout that hold
// benchmarks.
type Find struct {
	Module   string                   // module path
	Packages map[string]gocmd.Package // by import path
	All      []gocmd.Package          // all that the patterns match
}

// Names returns the import paths, sorted.
func (f *Find) Names() []string { return slices.Sorted(maps.Keys(f.Packages)) }

// Benchmarked lists the packages that the patterns match and that hold a
// benchmark whose function the -bench pattern can match. None is no error:
// see NoBenchmark.
func (c *Checkout) Benchmarked(ctx context.Context, patterns []string, bench string) (*Find, error) {
	top, err := topPattern(bench)
	if err != nil {
		return nil, err
	}
	f := &Find{Packages: make(map[string]gocmd.Package)}
	if f.All, err = c.Go.List(ctx, patterns...); err != nil {
		return nil, err
	}
	for _, p := range f.All {
		if p.Error != nil && len(p.GoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			return nil, fmt.Errorf("%w: %s", ErrNothing, gocmd.Refusal(c.Go.Dir, p.ImportPath, p.Error.Err))
		}
		if p.Module == nil || p.Standard {
			continue
		}
		f.Module = p.Module.Path
		if hasBenchmark(p, top) {
			f.Packages[p.ImportPath] = p
		}
	}
	return f, nil
}

// Functions lists the benchmark functions that a test file declares.
func Functions(src string) []string {
	var out []string
	for _, m := range benchmarkFunc.FindAllStringSubmatch(src, -1) {
		out = append(out, m[1])
	}
	return out
}

// CheckPattern returns a UsageError for a -bench pattern that package testing
// would not take.
func CheckPattern(pattern string) error {
	for _, alternative := range gocmd.SplitPattern(pattern, '|') {
		for _, level := range gocmd.SplitPattern(alternative, '/') {
			if _, err := regexp.Compile(level); err != nil {
				return &UsageError{fmt.Sprintf("-bench %q is not a regular expression: %v", pattern, err)}
			}
		}
	}
	return nil
}

func topPattern(pattern string) (*regexp.Regexp, error) {
	if err := CheckPattern(pattern); err != nil {
		return nil, err
	}
	return regexp.Compile(gocmd.TopOf(pattern))
}

func hasBenchmark(p gocmd.Package, top *regexp.Regexp) bool {
	for _, f := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		src, err := os.ReadFile(filepath.Join(p.Dir, f))
		if err != nil {
			continue
		}
		if slices.ContainsFunc(Functions(string(src)), top.MatchString) {
			return true
		}
	}
	return false
}

// NoBenchmark is the error of a Find without packages: what was looked for,
// and what there is instead.
func NoBenchmark(f *Find, patterns []string, bench string) error {
	var all []string
	any := regexp.MustCompile("")
	for _, p := range f.All {
		if hasBenchmark(p, any) {
			all = append(all, p.ImportPath)
		}
	}
	where := strings.Join(patterns, " ")
	switch {
	case len(f.Packages) > 0:
		return NoResult(f.Names(), bench)
	case len(f.All) == 0:
		return fmt.Errorf("%w: %s matches no package", ErrNothing, where)
	case len(all) == 0:
		others := "; or name other packages, such as ./... instead"
		if slices.Contains(patterns, "./...") {
			others = ""
		}
		return fmt.Errorf("%w: no benchmark in %s; pawl bench-stub FUNC writes one for the function that matters, from inputs of the tests%s", ErrNothing, where, others)
	default:
		return fmt.Errorf("%w: no benchmark matches -bench %q in %s; there are others in %s (go test -list Benchmark shows them)",
			ErrNothing, bench, where, strings.Join(all[:min(len(all), 5)], ", "))
	}
}

// NoResult is the error where packages declare benchmarks that -bench can match,
// and the run of their test binaries has shown none.
func NoResult(pkgs []string, bench string) error {
	bench = cmp.Or(bench, ".")
	return fmt.Errorf("%w: no benchmark matches -bench %q in %s when it is run: sub-benchmarks may have other names, or TestMain ends the process before them; go test -v -bench shows which there are",
		ErrNothing, bench, strings.Join(pkgs[:min(len(pkgs), 5)], " "))
}

// Deps lists the packages of the main module that the tests of pkgs are built
// from, for who type-checks them. A package that does not load is a BrokenTree,
// and one in a newer language than this program's a *gorelease.TooNewError.
func (c *Checkout) Deps(ctx context.Context, name string, pkgs []string) ([]string, error) {
	all, err := c.Go.List(ctx, append([]string{"-deps", "-test"}, pkgs...)...)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	var deps, lines []string
	for _, p := range all {
		path, _, _ := strings.Cut(p.ImportPath, " ")
		if p.Error != nil {
			return nil, &BrokenTree{Name: name, What: "does not build", Detail: p.Error.Pos + ": " + p.Error.Err, Next: c.LeftHint("fix it, or name other packages")}
		}
		if p.Module == nil || !p.Module.Main || p.ForTest != "" || strings.HasSuffix(path, ".test") || seen[path] {
			continue
		}
		seen[path] = true
		deps, lines = append(deps, path), append(lines, p.Module.GoVersion)
	}
	return deps, gorelease.Language(c.Go.Version, lines...)
}

// LeftHint adds to an advice which files were not copied, because one of them
// may be what is missing.
func (c *Checkout) LeftHint(advice string) string {
	if len(c.Snap.Left) == 0 {
		return advice
	}
	names := make([]string, 0, 3)
	for _, l := range c.Snap.Left[:min(3, len(c.Snap.Left))] {
		names = append(names, l.Path)
	}
	return fmt.Sprintf("%s; %d ignored files were not copied (%s), in case one of them is needed", advice, len(c.Snap.Left), strings.Join(names, ", "))
}
