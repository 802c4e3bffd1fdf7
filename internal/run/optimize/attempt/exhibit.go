package attempt

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/change/difftest"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// An exhibit is what shows that a change behaves as before, built while the tree
// held it.
type exhibit struct {
	dir      string // of the files
	tests    *state.Tests
	race     *state.Tests   // with the race detector
	cover    []reach.Binary // tests with coverage of the changed packages
	covered  bool           // cover has all of them that there are
	driver   *difftest.Plan // both versions side by side
	noDriver error          // why there is none
	built    bool           // all of these are
	of       *edited
	judges   []model.Benchmark // their inputs come first
	beside   bool              // what is shown to the user is another change
	among    []int             // cores for tests; none for all
	callers  bool              // those of functions that are not exported are driven, too
}

// buildCovering builds cover, unless an earlier call has. The tree holds the change.
func (x *exhibit) buildCovering(ctx context.Context, concerned []gocmd.Package) (err error) {
	if x.dir == "" {
		if x.dir, err = os.MkdirTemp(x.of.m.Scratch, "proof-"); err != nil {
			return fmt.Errorf("making a directory for the driver: %w", err)
		}
	}
	if !x.covered {
		x.cover, err = x.covering(ctx, concerned)
		x.covered = err == nil
	}
	return err
}

// prepare builds the driver, or notes why there is none. The tree holds the change, and
// buildCovering has returned.
func (x *exhibit) prepare(ctx context.Context, p *Prover, concerned []gocmd.Package) error {
	x.driver, x.noDriver = x.plan(ctx, p, concerned)
	if err := x.noDriver; err != nil && OfTheGround(ctx, err) {
		return cmp.Or(ctx.Err(), err)
	}
	return nil
}

// covering builds the tests of packages with coverage of the changed ones. One
// that does not build is left out.
func (x *exhibit) covering(ctx context.Context, pkgs []gocmd.Package) (bins []reach.Binary, err error) {
	for i, p := range pkgs {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		bin, err := reach.Build(ctx, x.of.m.Go, p, ImportPaths(x.of.pkgs), filepath.Join(x.dir, fmt.Sprintf("tested%d.test", i)))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			bins = append(bins, bin)
		}
	}
	return bins, nil
}

// plan builds the driver.
func (x *exhibit) plan(ctx context.Context, p *Prover, pkgs []gocmd.Package) (*difftest.Plan, error) {
	dir, err := os.MkdirTemp(x.dir, "driver-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for the driver: %w", err)
	}
	plan, err := difftest.NewPlan(ctx, difftest.Config{
		Go: x.of.m.Go, Root: x.of.m.Snap.Dir, Changed: x.of.pkgs, Tests: pkgs, Scratch: dir, Among: x.among, Judges: x.judges, Callers: x.callers,
		Seed: p.Seed, NoRace: x.of.m.NoRace() != "", Detail: x.detail,
	}, difftest.Change{Before: x.of.before, After: x.of.After})
	if err == nil {
		err = plan.Build(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("preparing to drive both versions: %w", err)
	}
	return plan, nil
}

// detail says what is being done, unless the next change is what is shown.
func (x *exhibit) detail(text string) {
	if !x.beside {
		x.of.m.Watch.Detail(text)
	}
}

// clear removes what build has built.
func (x *exhibit) clear() error {
	dir := x.dir
	*x = exhibit{of: x.of, judges: x.judges, beside: x.beside, among: x.among, callers: x.callers}
	if dir == "" {
		return nil
	}
	return os.RemoveAll(dir)
}
