package attempt

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// tests runs the tests of the changed and of the benchmarked packages. Beside them is built what
// gather would build then, where the tree may be read meanwhile.
func (t *Attempt) tests(ctx context.Context) (*refusal, error) {
	if t.policy.alone && t.m.Beside() {
		t.resume(ctx)
	}
	tests, err := t.Next.BuildTests(ctx, t.m.Concerned(t.pkgs), false)
	if err != nil {
		return nil, err
	}
	return t.tested(t.beforeToo(ctx, func() (model.Check, *guard.Failing, error) { return t.m.RunAlone(ctx, tests, t.proof.among) }))
}

// beforeToo runs tests of the change. Where they fail, the base must pass its own, but for some that
// are left out then, of the change's, too.
func (t *Attempt) beforeToo(ctx context.Context, run func() (model.Check, *guard.Failing, error)) (model.Check, *guard.Failing, error) {
	c, failing, err := run()
	if err != nil || c.OK || c.Skipped != "" || t.policy.passes == nil {
		return c, failing, err
	}
	known := len(t.m.Guard.Skip)
	err = t.withdrawn(func() error { return t.policy.passes(ctx) })
	if err != nil || len(t.m.Guard.Skip) == known {
		return c, failing, err
	}
	t.announce()
	return run()
}

// withdrawn does something while the tree does not hold the change: a test may read the source, or have the go command build it.
func (t *Attempt) withdrawn(do func() error) error {
	t.noting.Done() // what compiles the tree ends first
	t.begun.Stop()  // gather goes on with it
	if err := t.undo(); err != nil {
		return errors.Join(errCopy, err)
	}
	t.edited.undo = func() error { return nil }
	return errors.Join(do(), t.again())
}

// again puts the change into the tree once more.
func (t *Attempt) again() error {
	undo, err := t.m.Snap.Apply(t.Change.Edits)
	if err != nil {
		return errors.Join(errCopy, err)
	}
	t.edited.undo = undo
	return nil
}

// asBefore is a context in which the go command sees the tree without the change.
func (t *showing) asBefore(ctx context.Context) (context.Context, error) {
	dir, err := os.MkdirTemp(t.m.Scratch, "without-")
	if err != nil {
		return nil, fmt.Errorf("making room for an overlay: %w", err)
	}
	layer, err := t.layer(dir, nil)
	if err != nil {
		return nil, err
	}
	return gocmd.OnLayer(ctx, layer), nil
}

// passes is tests with what gather has built.
func (t *showing) passes(ctx context.Context) (*refusal, error) { return t.test(ctx, t.proof.tests) }

// race runs them with the race detector, as gather has built them.
func (t *showing) race(ctx context.Context) (*refusal, error) {
	var without context.Context
	if !t.proof.beside { // else the tree may hold another change
		var err error
		if without, err = t.asBefore(ctx); err != nil {
			return nil, err
		}
	}
	c, failing, err := t.m.RaceFirst(ctx, t.proof.race, t.proof.among, t.Base, without)
	return t.tested(c, failing, err)
}

func (t *showing) test(ctx context.Context, tests *state.Tests) (*refusal, error) {
	return t.tested(t.m.RunTests(ctx, tests, t.proof.among))
}

// tested takes in what tests have shown.
func (t *showing) tested(c model.Check, failing *guard.Failing, err error) (*refusal, error) {
	t.failing = failing
	if err != nil {
		return nil, err
	}
	return t.add(c), nil
}

// askBase runs the tests that failed with a change without it; the tree holds
// the version before again. Where one of them fails there, too, the change was
// not refuted: the check says so, and the reason.
func (t *showing) askBase(ctx context.Context) error {
	if t.failing == nil {
		return nil
	}
	c := &t.Checks[len(t.Checks)-1] // that ended the attempt
	test, runs, err := t.Base.Again(ctx, *c, t.failing)
	if test == "" || err != nil {
		return err
	}
	t.byChance(c, test, runs)
	t.m.Warn(chanceWarning(*c, t.failing.Pkg, test))
	return nil
}

// byChance notes that a test that failed with the change failed without it, too.
func (t *showing) byChance(c *model.Check, test string, runs int) {
	c.Chance = []string{test}
	if test != t.failing.Pkg.ImportPath {
		c.Chance[0] = t.failing.Pkg.ImportPath + "." + test
	}
	times := "times"
	if runs == 1 {
		times = "time"
	}
	t.refuse(refusal{byChance, fmt.Sprintf("%s: %s fails without the change, too, 1 of %d %s", c.Name, test, runs, times)})
}

func chanceWarning(c model.Check, pkg gocmd.Package, test string) model.Warning {
	flags := "-count=20"
	if c.Name == state.RaceCheck {
		flags += " -race"
	}
	if test != pkg.ImportPath {
		flags += " -run '^" + test + "$'"
	}
	return model.Warning{
		Seen:  c.Chance[0] + " failed with a change, and fails without it, too",
		Cause: "a test that depends on time or on chance: nothing is known of the change, and it is not remembered as refuted",
		Try:   "go test " + flags + " " + pkg.ImportPath + "; when it is fixed, run pawl again",
	}
}
