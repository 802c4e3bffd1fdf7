package state

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Tests are the test binaries of some packages of one version, to be run once.
type Tests struct {
	name    string
	bins    []guard.Tested
	decided *model.Check // what there is to say without running them; nil where there is nothing
}

// BuildTests builds the tests of packages on v, which the tree holds, without
// or with the race detector. They are the binaries that are measured: without
// pawl's variables in the environment these behave like stock ones, and what is
// tested is what is timed. The race detector is given up where building with it takes longer
// than RaceTime.
func (v *State) BuildTests(ctx context.Context, pkgs []gocmd.Package, race bool) (t *Tests, err error) {
	if race {
		err := v.m.inRaceTime(ctx, func(ctx context.Context) (err error) {
			t, err = v.buildTests(ctx, pkgs, true)
			return err
		}, nil)
		if t != nil || err != nil {
			return t, err
		}
	}
	return v.buildTests(ctx, pkgs, race)
}

func (v *State) buildTests(ctx context.Context, pkgs []gocmd.Package, race bool) (*Tests, error) {
	name, build := v.tester(race)
	t := &Tests{name: name}
	if why := v.m.NoRace(); race && why != "" {
		t.decided = &model.Check{Name: name, Skipped: why}
		return t, nil
	}
	for _, p := range pkgs {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		b, err := build(ctx, p)
		var ge *gocmd.Error
		switch {
		case errors.As(err, &ge) && race:
			v.m.GiveUpRace("it does not build here: " + words.LastLines(ge.Output, 1))
			t.decided = &model.Check{Name: name, Skipped: v.m.NoRace()}
			return t, nil
		case errors.As(err, &ge):
			t.decided = &model.Check{Name: name, Detail: ge.Output}
			return t, nil
		case err != nil:
			return nil, err
		}
		t.bins = append(t.bins, guard.Tested{Pkg: p, Path: b.Path})
	}
	return t, nil
}

// RunTests runs tests, on some cores or, for none, on all. What the tree holds does
// not matter. Tests that failed are returned beside the check.
func (m *Module) RunTests(ctx context.Context, t *Tests, among []int) (model.Check, *guard.Failing, error) {
	if t.decided != nil {
		return *t.decided, nil, nil
	}
	bins := m.sampled(t)
	for i := range bins {
		bins[i].Among = among
	}
	c, bad, err := m.Guard.Tests(ctx, t.name, bins)
	for _, names := range m.only(t.name) {
		c.Sample += len(names)
	}
	if len(c.Unsteady) > 0 {
		m.Warn(model.Warning{
			Seen:  "failed once, and passed whenever they were run again: " + strings.Join(c.Unsteady, ", "),
			Cause: "tests that depend on time or on chance, on a busy machine; a change can make a test so, too",
			Try:   "go test -count=20 -run with their names, before and after",
		})
	}
	return c, bad, err
}

// MustPass makes sure that the tests of the benchmarked packages of the base
// pass, but for those that find no network here and a few of many. That they do not is a *testbed.BrokenTree.
func (v *State) MustPass(ctx context.Context) error {
	v.m.Watch.Stage("testing the base", strings.Join(v.m.Names(), " "))
	t, err := v.BuildTests(ctx, v.m.Concerned(nil), false)
	if err != nil {
		return err
	}
	if v.m.TestTime == 0 {
		c, bad, err := v.m.RunTests(ctx, t, nil)
		if err == nil {
			err = v.m.mustPass(ctx, t, c, bad)
		}
		return err
	}
	return v.m.mostPass(ctx, t)
}

// mostPass makes sure that tests of the base pass, or a sample of them where not all end in
// the time for it. Where none did, one may have taken all of it: the others have as much again.
func (m *Module) mostPass(ctx context.Context, t *Tests) error {
	var slow []string
	for again := range 2 {
		m.Guard.Skip = slices.Concat(m.Guard.Skip, slow)
		passed, over, err := m.inTestTime(ctx, t, &slow)
		m.Guard.Skip = slices.DeleteFunc(m.Guard.Skip, func(name string) bool { return slices.Contains(slow, name) })
		if err != nil || !over && again == 0 {
			return err
		}
		if n := m.sample(t.name, t, passed, m.TestTime); n > 0 {
			m.Warn(model.Warning{
				Seen:  fmt.Sprintf("changes are tested by a sample: %s, the quickest on the base", words.Plural(n, "test")),
				Cause: fmt.Sprintf("not all of them ended in %s, the part of the budget that is for it", words.Seconds(m.TestTime.Seconds())),
				Try:   "go test on what is kept, a larger -budget, or -short",
			})
			return nil
		}
		if len(slow) == 0 {
			break
		}
	}
	return &testbed.BrokenTree{Name: "the base", What: "has tests, and none passed in " + words.Seconds(m.TestTime.Seconds()), Detail: "this is the part of the budget that is for them", Next: "give a larger -budget, or -short"}
}

// inTestTime runs tests of the base, which must pass, as long as they may take. It reports
// whether that was over, which tests had passed until then, and adds those that were under way
// to slow.
func (m *Module) inTestTime(ctx context.Context, t *Tests, slow *[]string) (passed [][]guard.Passed, over bool, err error) {
	limited, cancel := context.WithTimeout(ctx, m.TestTime)
	defer cancel()
	passed, cpu := noting(t.bins)
	for i := range t.bins {
		t.bins[i].Stuck = slow
	}
	c, bad, err := m.RunTests(limited, t, nil)
	forget(t.bins)
	m.foresee(t, c, passed, *cpu)
	if err == nil {
		err = m.mustPass(limited, t, c, bad)
	}
	if over = err != nil && limited.Err() != nil && ctx.Err() == nil; over {
		err = nil
	}
	return passed, over, err
}

// noting makes test binaries note which tests passed and their CPU time, and returns where.
func noting(bins []guard.Tested) (passed [][]guard.Passed, cpu *time.Duration) {
	passed, cpu = make([][]guard.Passed, len(bins)), new(time.Duration)
	for i := range bins {
		bins[i].Passed, bins[i].CPU = &passed[i], cpu
	}
	return passed, cpu
}

func forget(bins []guard.Tested) {
	for i := range bins {
		bins[i].Passed, bins[i].Stuck, bins[i].Failed, bins[i].CPU = nil, nil, nil, nil
	}
}

// RunAlone is RunTests of a change that nothing was tested before.
func (m *Module) RunAlone(ctx context.Context, t *Tests, among []int) (model.Check, *guard.Failing, error) {
	passed, cpu := noting(t.bins)
	c, bad, err := m.RunTests(ctx, t, among)
	forget(t.bins)
	m.foresee(t, c, passed, *cpu)
	return c, bad, err
}

// mustPass leaves out what may fail, as long as tests do: c and bad are of the first run of t.
// Those of a package whose others have passed are not run again.
func (m *Module) mustPass(ctx context.Context, t *Tests, c model.Check, bad *guard.Failing) (err error) {
	left, listed := *t, true
	for !c.OK {
		known, over := m.leaveOut(guard.NeedNetwork(c.Detail), "they fail on the base, where they look for a network that is not there"), false
		if !known {
			few, err := m.few(ctx, t, bad)
			if err != nil {
				return err
			}
			over = m.leaveOut(few, "they fail on the base, and the others of their package pass")
			known = over
		}
		if !known && !listed {
			if over = m.leaveOutPackage(bad, c.Detail); !over {
				return &testbed.BrokenTree{Name: "the base", What: "has tests that fail", Detail: c.Detail, Next: m.LeftHint("fix them first: without passing tests nothing can be shown to keep behaviour")}
			}
		}
		if over {
			left.bins = slices.DeleteFunc(slices.Clone(left.bins), func(b guard.Tested) bool { return b.Pkg.ImportPath == bad.Pkg.ImportPath })
		}
		listed = false // what fails is told better by a run that lists nothing else
		m.Watch.Detail(t.name)
		if c, bad, err = m.RunTests(ctx, &left, nil); err != nil {
			return err
		}
	}
	return nil
}

// leaveOut leaves tests of the base out from now on; it reports false where there is none that has not been left out.
func (m *Module) leaveOut(tests []string, cause string) bool {
	fresh := slices.DeleteFunc(tests, func(n string) bool { return slices.Contains(m.Guard.Skip, n) })
	if len(fresh) == 0 {
		return false
	}
	m.Guard.Skip = append(m.Guard.Skip, fresh...)
	m.Warn(model.Warning{
		Seen:  "left out, on the base and on every change: " + strings.Join(fresh, ", "),
		Cause: cause,
		Try:   "run them by hand on what is kept",
	})
	return true
}

// leaveOutPackage leaves a package out whose tests fail on the base, where a run looks for
// changes anywhere and has other packages. Its tests fail on every change in it, too.
func (m *Module) leaveOutPackage(bad *guard.Failing, detail string) bool {
	if m.TestTime == 0 || bad == nil || len(m.Pkgs) < 2 {
		return false
	}
	pkg := bad.Pkg.ImportPath
	delete(m.Pkgs, pkg)
	m.Warn(model.Warning{
		Seen:  "the benchmarks of " + pkg + " are left out, and its tests guard no other change: they fail on the base",
		Cause: words.FirstLine(detail),
		Try:   "go test " + pkg,
	})
	return true
}

// fewOf is how many tests of a package have to pass for each that fails on the base and is left out: a module with one
// test in a hundred that needs what this machine lacks is guarded nearly as well without it.
const fewOf = 9

// few returns the tests of a package that fail on the base where all its others pass, and these are many; none elsewhere.
func (m *Module) few(ctx context.Context, t *Tests, bad *guard.Failing) ([]string, error) {
	if bad == nil || len(bad.Tests) == 0 {
		return nil, nil
	}
	i := slices.IndexFunc(t.bins, func(b guard.Tested) bool { return b.Pkg.ImportPath == bad.Pkg.ImportPath })
	others, passed := t.bins[i], []guard.Passed(nil)
	others.Passed = &passed
	skip := m.Guard.Skip
	defer func() { m.Guard.Skip = skip }()
	m.Guard.Skip = append(slices.Clone(skip), bad.Tests...)
	c, _, err := m.Guard.Tests(ctx, t.name, []guard.Tested{others})
	if err != nil || !c.OK || len(passed) < fewOf*len(bad.Tests) {
		return nil, err
	}
	return bad.Tests, nil
}

// A builder returns the test binary of a package.
type builder func(context.Context, gocmd.Package) (*bench.Binary, error)

// tester returns the name of the check that runs tests, with or without the race
// detector, and who builds their binaries.
func (v *State) tester(race bool) (string, builder) {
	if race {
		return RaceCheck, v.raced
	}
	return testCheck, v.tests
}

// testCheck is the name of the check that runs tests without it.
const testCheck = "tests"

// RaceCheck is the name of the check that runs tests with the race detector.
const RaceCheck = "race"

// Again runs tests that failed on the version after v, in the check that is
// given, as long as they took there. It returns the test that fails on v, too,
// and how often they were run until then; "" where none does, or where v does
// not build.
func (v *State) Again(ctx context.Context, c model.Check, failing *guard.Failing) (test string, runs int, err error) {
	_, build := v.tester(c.Name == RaceCheck)
	v.m.Watch.Detail(c.Name + " without the change")
	b, err := build(ctx, failing.Pkg)
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return "", 0, nil // only the change has made it build: no word on the tests
	}
	if err != nil {
		return "", 0, err
	}
	limit := max(leastAgain, time.Duration(c.Seconds*float64(time.Second)))
	tests := guard.Tested{Pkg: failing.Pkg, Path: b.Path}
	if c.Name == RaceCheck {
		tests.Only = v.m.only(RaceCheck)[failing.Pkg.ImportPath]
	}
	return v.m.Guard.Again(ctx, tests, failing.Tests, limit)
}

// leastAgain is how long tests that failed with a change may take without it at
// the least.
const leastAgain = 10 * time.Second
