package optimize

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// A BaseCheck is what CheckBase has found of a tree, for another session on the
// very same one.
type BaseCheck struct {
	raceBroken string
	raced      bool                           // the tests ran with the race detector
	only       map[string]map[string][]string // see state.Module
}

// A baseline makes sure that the tests of the tree pass as it is, with what is known
// of that from before.
type baseline struct {
	m       *state.Module
	known   *BaseCheck // of another session; nil to run them
	tested  bool       // they pass
	checked bool       // and those with the race detector have begun
}

// check runs the tests of v, which the tree holds, without and with the race
// detector. The latter are built beside builds with the testing package as installed,
// and may go on beside what follows: who needs to know waits for them.
func (b *baseline) check(ctx context.Context, v *state.State) error {
	if b.checked {
		return nil
	}
	race := func() error { return v.TryRace(ctx) }
	if b.known != nil {
		b.m.NoRace, b.m.Only = b.known.raceBroken, b.known.only
	}
	if b.m.RaceLate || b.known != nil && b.known.raced {
		race = func() error { return nil }
	}
	if err := b.test(ctx, v); err != nil {
		return err
	}
	raced := make(chan error, 1)
	if b.m.Beside() {
		go func() { raced <- race() }()
	} else {
		raced <- race()
	}
	err := b.stock(ctx, v)
	err = errors.Join(<-raced, err)
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
	if !b.checked || b.m.Raced(context.Background()) != nil { // it ends with the context of check
		return nil
	}
	return &BaseCheck{raceBroken: b.m.NoRace, raced: !b.m.RaceLate, only: b.m.Only}
}
