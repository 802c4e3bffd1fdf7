package loop

import (
	"context"
	"errors"
	"strings"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/guard"
	"github.com/pawl-dev/pawl/internal/model"
)

// runTests runs the tests of packages on v, which the tree holds. They run in
// the binaries that are measured: without pawl's variables in the environment
// these behave like stock ones, and what is tested is what is timed.
func (s *Session) runTests(ctx context.Context, v *version, pkgs []gocmd.Package, race bool) (model.Check, error) {
	name, build := "tests", s.testBinary
	if race {
		name, build = "race", s.raceBinary
		if s.raceBroken != "" {
			return model.Check{Name: name, Skipped: s.raceBroken}, nil
		}
	}
	s.detail(name)
	var bins []guard.Tested
	for _, p := range pkgs {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		b, err := build(ctx, v, p)
		var ge *gocmd.Error
		switch {
		case errors.As(err, &ge) && race:
			s.raceBroken = "it does not build here: " + lastLine(ge.Output)
			return model.Check{Name: name, Skipped: s.raceBroken}, nil
		case errors.As(err, &ge):
			return model.Check{Name: name, Detail: ge.Output}, nil
		case err != nil:
			return model.Check{}, err
		}
		bins = append(bins, guard.Tested{Pkg: p, Path: b.Path})
	}
	c, err := s.guard.Tests(ctx, name, bins)
	if len(c.Unsteady) > 0 {
		s.warn(model.Warning{
			Seen:  "failed once, and passed whenever they were run again: " + strings.Join(c.Unsteady, ", "),
			Cause: "tests that depend on time or on chance, on a busy machine; a change can make a test so, too",
			Try:   "go test -count=20 -run with their names, before and after",
		})
	}
	return c, err
}

// testBinary returns the test binary of a package of v. One that is measured
// can be linked again later, when the tree has moved on.
func (s *Session) testBinary(ctx context.Context, v *version, p gocmd.Package) (*bench.Binary, error) {
	o := gocmd.BuildOpts{Overlay: true}
	if _, measured := s.pkgs[p.ImportPath]; !measured || v.bins[p.ImportPath] != nil {
		return s.cached(ctx, v.bins, v.name, p, o)
	}
	b, linker, err := s.suite.BuildLinkable(ctx, p, v.name, o)
	if err == nil {
		v.bins[p.ImportPath], v.linkers[p.ImportPath] = b, linker
	}
	return b, err
}

// raceBinary returns the test binary of a package of v with the race detector.
func (s *Session) raceBinary(ctx context.Context, v *version, p gocmd.Package) (*bench.Binary, error) {
	return s.cached(ctx, v.race, v.name+"-race", p, gocmd.BuildOpts{Overlay: true, Race: true})
}

func (s *Session) cached(ctx context.Context, bins map[string]*bench.Binary, name string, p gocmd.Package, o gocmd.BuildOpts) (*bench.Binary, error) {
	if b := bins[p.ImportPath]; b != nil {
		return b, nil
	}
	b, err := s.suite.Build(ctx, p, name, o)
	if err == nil {
		bins[p.ImportPath] = b
	}
	return b, err
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
