package state

import (
	"context"

	"github.com/pawl-dev/pawl/internal/explain/rank"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

// lockCosts reads what a benchmark that runs in parallel waits for mutexes
// into c. Where that is much, it also measures how the benchmark does with the
// user's processors against one. Neither is needed for anything else: where
// one of them fails, a warning says so.
func (v *State) lockCosts(ctx context.Context, p model.Plan, c *costs) error {
	procs := procs(v.m.UserEnv)
	if p.Mode == model.Duet || procs < 2 {
		return nil
	}
	b := v.bins[p.Benchmark.Pkg]
	prof, opt, err := v.takeProfile(ctx, b, p, bench.MutexProfile)
	if err == nil {
		opt.Total = max(p.SliceNs-p.TimedNs, 0) / float64(max(p.N, 1))
		if p.Mode == model.Alternate { // by the wall clock, which runs once for all
			opt.Total *= float64(procs)
		}
		c.locks, _, err = prof.Costs(p.Benchmark, model.Mutex, opt)
	}
	if err == nil && rank.Waits(c.locks) {
		v.m.Watch.Stage("comparing with one processor", p.Benchmark.String())
		var scaling model.Scaling
		if scaling, err = v.m.Suite.Scaling(ctx, b, p, procs); err == nil {
			c.scaling = &scaling
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		v.m.Warn(model.Warning{
			Seen: "what " + p.Benchmark.String() + " waits for mutexes is not known", Cause: err.Error(),
			Try: "go test -run '^$' -bench '" + p.Benchmark.Regexp() + "' -mutexprofile mutex.pprof " + p.Benchmark.Pkg,
		})
	}
	return nil
}
