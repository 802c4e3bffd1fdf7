package optimize

import (
	"context"

	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// A BaseCheck is what CheckBase has found of a tree, for another session on the
// very same one.
type BaseCheck struct {
	raceBroken string
	only       map[string]map[string][]string // see state.Module
	skip       []string                       // tests that are left out
}

// A baseline makes sure that the tests of the tree pass as it is.
type baseline struct {
	m       *state.Module
	tested  bool // they pass
	stocked bool // it is built with the testing package as installed
}

// newBaseline returns that of a tree, with what another session has found of it; nil for nothing.
func newBaseline(m *state.Module, known *BaseCheck) *baseline {
	if known != nil {
		m.GiveUpRace(known.raceBroken)
		m.Only, m.Guard.Skip = known.only, known.skip
	}
	return &baseline{m: m, tested: known != nil}
}

// check runs the tests of v, which the tree holds. With the race detector they are run
// only where a change fails under it: see state.RaceFirst.
func (b *baseline) check(ctx context.Context, v *state.State) error {
	if err := b.test(ctx, v); err != nil {
		return err
	}
	return b.stock(ctx, v)
}

// stock builds v, once, with the testing package as installed.
func (b *baseline) stock(ctx context.Context, v *state.State) error {
	if b.stocked {
		return nil
	}
	for _, name := range b.m.Names() {
		if _, err := v.Stock(ctx, name); err != nil {
			return err
		}
	}
	b.stocked = true
	return nil
}

// test makes sure, once, that the tests of the benchmarked packages pass. Nothing is built beside
// them: they may write into the tree, and a go command would put that back under their feet.
func (b *baseline) test(ctx context.Context, v *state.State) error {
	if b.tested {
		return nil
	}
	err := v.MustPass(ctx)
	b.tested = err == nil
	return err
}

// found returns what was found; nil where the tests were not run.
func (b *baseline) found() *BaseCheck {
	if !b.tested {
		return nil
	}
	return &BaseCheck{raceBroken: b.m.NoRace(), only: b.m.Only, skip: b.m.Guard.Skip}
}
