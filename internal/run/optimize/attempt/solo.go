package attempt

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl/internal/model"
)

// soloRuns is how many interleaved pairs the confirmation of a kept change
// takes: enough to contradict a verdict grossly, not to make one.
const soloRuns = 3

// soloDisagrees is how much slower in wall time a change must look, in all
// pairs, for the confirmation to be a warning.
const soloDisagrees = 0.02

// Confirm confirms a change that is about to be kept as users will run it: the
// testing package as installed, their GOMAXPROCS, nothing pinned.
func (t *showing) Confirm(ctx context.Context) error {
	bm := t.Verdicts[0].Benchmark
	t.m.Watch.Detail("confirming with the stock testing package")
	t.begun.Stop() // what follows is not pinned
	cand, err := t.Next.Stock(ctx, bm.Pkg)
	if err != nil {
		return err
	}
	base := t.Base.HasStock(bm.Pkg)
	if base == nil { // the tree has moved on: built now, it would be the candidate
		return fmt.Errorf("%s did not build without the change and with the stock testing package", bm.Pkg)
	}
	solo, err := t.m.Solo(ctx, base, cand, t.p.plan(bm), soloRuns)
	if err != nil {
		return err
	}
	t.Solo = &solo
	if lo, hi := solo.WallRange(); lo > soloDisagrees {
		t.Warnings = append(t.Warnings, model.Warning{
			Seen:  fmt.Sprintf("with GOMAXPROCS=%d and the stock testing package, %s took more wall time in all of %d pairs (%+.1f to %+.1f %%)", solo.Procs, bm, solo.Runs, 100*lo, 100*hi),
			Cause: "CPU time and wall time differ when the collector works on other cores, or when the machine is busy",
			Try:   "look at this change once more before merging it",
		})
	}
	return nil
}

// stockBefore builds what a change will be confirmed against, if it comes to
// that, while the tree is without it. Mostly it is there: the base's are, and
// that of the package which the last kept change was confirmed in. One that does
// not build is missed when there is something to be confirmed.
func (t *Attempt) stockBefore(ctx context.Context) error {
	if targets := t.Change.Targets; len(targets) > 0 {
		_, _ = t.Base.Stock(ctx, targets[0].Benchmark.Pkg)
	}
	return ctx.Err()
}
