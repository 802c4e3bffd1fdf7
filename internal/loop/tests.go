package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/guard"
	"github.com/pawl-dev/pawl/internal/model"
)

// runTests runs the tests of packages on v, which the tree holds. They run in
// the binaries that are measured: without pawl's variables in the environment
// these behave like stock ones, and what is tested is what is timed. Tests that
// failed are returned beside the check.
func (s *Session) runTests(ctx context.Context, v *version, pkgs []gocmd.Package, race bool) (model.Check, *guard.Failing, error) {
	name, build := s.tester(race)
	if race && s.raceBroken != "" {
		return model.Check{Name: name, Skipped: s.raceBroken}, nil, nil
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
			return model.Check{Name: name, Skipped: s.raceBroken}, nil, nil
		case errors.As(err, &ge):
			return model.Check{Name: name, Detail: ge.Output}, nil, nil
		case err != nil:
			return model.Check{}, nil, err
		}
		bins = append(bins, guard.Tested{Pkg: p, Path: b.Path})
	}
	c, bad, err := s.guard.Tests(ctx, name, bins)
	if len(c.Unsteady) > 0 {
		s.warn(model.Warning{
			Seen:  "failed once, and passed whenever they were run again: " + strings.Join(c.Unsteady, ", "),
			Cause: "tests that depend on time or on chance, on a busy machine; a change can make a test so, too",
			Try:   "go test -count=20 -run with their names, before and after",
		})
	}
	return c, bad, err
}

// A builder returns the test binary of a package of a version.
type builder func(context.Context, *version, gocmd.Package) (*bench.Binary, error)

// tester returns the name of the check that runs tests, with or without the race
// detector, and who builds their binaries.
func (s *Session) tester(race bool) (string, builder) {
	if race {
		return "race", s.raceBinary
	}
	return "tests", s.testBinary
}

// leastAgain is how long tests that failed with a change may take without it at
// the least.
const leastAgain = 10 * time.Second

// askBase runs the tests that failed with a change without it, as long as they
// took with it; the tree holds the version before again. Where one of them fails
// there, too, the change was not refuted: the check says so, and the reason.
func (s *Session) askBase(ctx context.Context, t *tried) error {
	if t.failing == nil {
		return nil
	}
	c := &t.Checks[len(t.Checks)-1] // that ended the attempt
	_, build := s.tester(c.Name == "race")
	s.detail(c.Name + " without the change")
	b, err := build(ctx, s.now, t.failing.Pkg)
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return nil // only the change has made it build: no word on the tests
	}
	if err != nil {
		return err
	}
	limit := max(leastAgain, time.Duration(c.Seconds*float64(time.Second)))
	test, runs, err := s.guard.Again(ctx, guard.Tested{Pkg: t.failing.Pkg, Path: b.Path}, t.failing.Tests, limit)
	if test == "" || err != nil {
		return err
	}
	t.byChance(c, test, runs)
	s.warn(chanceWarning(*c, t.failing.Pkg, test))
	return nil
}

// byChance notes that a test that failed with the change failed without it, too.
func (t *tried) byChance(c *model.Check, test string, runs int) {
	c.Chance = []string{test}
	if test != t.failing.Pkg.ImportPath {
		c.Chance[0] = t.failing.Pkg.ImportPath + "." + test
	}
	times := "times"
	if runs == 1 {
		times = "time"
	}
	t.Reason = fmt.Sprintf("%s: %s fails without the change, too, 1 of %d %s", c.Name, test, runs, times)
}

func chanceWarning(c model.Check, pkg gocmd.Package, test string) model.Warning {
	flags := "-count=20"
	if c.Name == "race" {
		flags += " -race"
	}
	if test != pkg.ImportPath {
		flags += " -run '^" + test + "$'"
	}
	return model.Warning{
		Seen:  c.Chance[0] + " failed with a change, and fails without it, too",
		Cause: "a test that depends on time or on chance: nothing is known of the change, and it is not remembered as refuted",
		Try:   "go test " + flags + " " + pkg.ImportPath + "; when it is mended, run pawl again",
	}
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
