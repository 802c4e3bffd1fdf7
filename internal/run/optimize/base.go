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
}

// A baseline makes sure that the tests of the tree pass as it is, with what is known
// of that from before.
type baseline struct {
	m       *state.Module
	known   *BaseCheck // of another session; nil to run them
	tested  bool       // they pass
	checked bool       // and it is built with the testing package as installed
}

// check runs the tests of v, which the tree holds. With the race detector they are run
// only where a change fails under it: see state.RaceFirst.
func (b *baseline) check(ctx context.Context, v *state.State) error {
	if b.checked {
		return nil
	}
	if b.known != nil {
		b.m.GiveUpRace(b.known.raceBroken)
		b.m.Only = b.known.only
	}
	if err := b.test(ctx, v); err != nil {
		return err
	}
	err := b.stock(ctx, v)
	b.checked = err == nil
	return err
}

// stock builds v with the testing package as installed.
func (b *baseline) stock(ctx context.Context, v *state.State) error {
	for _, name := range b.m.Names() {
		if _, err := v.Stock(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// test makes sure, once, that the tests of the benchmarked packages pass. Nothing is built beside
// them: they may write into the tree, and a go command would put that back under their feet.
func (b *baseline) test(ctx context.Context, v *state.State) error {
	if b.tested || b.known != nil {
		return nil
	}
	err := v.MustPass(ctx)
	b.tested = err == nil
	return err
}

// found returns what was found; nil where not all was.
func (b *baseline) found() *BaseCheck {
	if !b.checked {
		return nil
	}
	return &BaseCheck{raceBroken: b.m.NoRace(), only: b.m.Only}
}
