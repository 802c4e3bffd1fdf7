package state

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// costs are what one benchmark's profiles say.
type costs struct {
	allocs, cpu []model.Cost
	locks       []model.Cost   // of benchmarks that run in parallel
	scaling     *model.Scaling // where they wait for locks
	gcShare     float64
	unexplained []model.Unexplained

	cpuProfile, memProfile *profile.Profile // what they were read from
	memN                   int64            // ops that memProfile covers
	carried                bool             // from a version before; without profiles
	late                   bool             // there was no time for its profiles
}

// profile takes the profiles of one benchmark into c, both kinds at a
// time: what they say are shares and counts, not times.
func (v *State) profile(ctx context.Context, p model.Plan, c *costs) error {
	bm := p.Benchmark
	v.m.Watch.Stage("profiling", bm.String())
	var cpuRest []model.Unexplained
	var cpuErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		cpuRest, cpuErr = v.cpuCosts(ctx, p, c)
	}()
	rest, err := v.allocCosts(ctx, p, c)
	v.m.Watch.Stage("profiling", bm.String()) // the CPU profile takes longest
	<-done
	c.unexplained = append(rest, cpuRest...)
	return cmp.Or(err, cpuErr)
}

// profileAll takes the profiles of benchmarks, some at once. Those that limit leaves no
// time for are left out with a warning.
func (v *State) profileAll(ctx context.Context, plans []model.Plan, limit func() time.Duration) error {
	v.hot = nil
	for n := len(plans); n > 0; n = len(plans) {
		some := plans[:min(n, profilesAtOnce)]
		plans = plans[len(some):]
		within, cancel := context.WithTimeout(ctx, max(leastProfile, limit()*time.Duration(len(some))/time.Duration(n+1)))
		err := v.profileSome(ctx, within, some)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// profilesAtOnce is how many benchmarks are profiled at once.
const profilesAtOnce = 2

func (v *State) profileSome(ctx, within context.Context, plans []model.Plan) (err error) {
	all, begun := make([]costs, len(plans)), make([]*Begun, len(plans))
	for i, p := range plans {
		begun[i] = Begin(within, func(ctx context.Context) error { return v.profile(ctx, p, &all[i]) })
	}
	for _, b := range begun {
		_ = b.Err() // all have ended
	}
	for i, p := range plans {
		failed := begun[i].Err()
		if failed == nil {
			failed = v.lockCosts(within, p, &all[i]) // alone: other work would change who waits
		}
		var f *bench.Failure
		switch {
		case failed == nil:
			v.costs[p.Benchmark] = all[i]
		case ctx.Err() == nil && (within.Err() != nil || errors.As(failed, &f) && f.Late):
			v.costs[p.Benchmark] = costs{late: true}
			v.m.Warn(unprofiled(p.Benchmark))
		default:
			err = errors.Join(err, failed)
		}
	}
	return err
}

// takeProfile takes one profile and reads it.
func (v *State) takeProfile(ctx context.Context, b *bench.Binary, p model.Plan, kind string) (*profile.Profile, profile.Options, error) {
	opt := profile.Options{
		Root: v.m.Snap.Dir, ModuleDir: v.m.Snap.ModuleDir, ModulePath: v.m.Path, ModCache: v.m.Go.Vars["GOMODCACHE"],
	}
	name := fmt.Sprintf("%s.%s.%s", store.SetName(p.Benchmark), v.name, kind)
	if b.Race {
		name += "-race"
	}
	file, err := v.m.Run.Profile(name + ".pprof")
	if err != nil {
		return nil, opt, err
	}
	var n int64 // as many as the kind needs
	switch kind {
	case bench.CPUProfile:
		n = bench.CPUProfileN(p, v.cpuGoal())
	case bench.MemProfile:
		n = bench.MemProfileN(p, v.stats[p.Benchmark].Allocs)
		if b.Race { // it is many times slower, and only fills gaps
			n = max(2, n/raceProfile)
		}
	}
	var prof bench.Profiled
	err = Patiently(ctx, func() (err error) {
		prof, err = v.m.Suite.Profile(ctx, b, p, kind, file, n)
		return err
	})
	if err != nil {
		return nil, opt, err
	}
	opt.N = prof.N
	read, err := profile.ReadFile(ctx, prof.File)
	return read, opt, err
}

// raceProfile is how many times fewer iterations a profile under the race detector takes.
const raceProfile = 4

// Bounds of the CPU time in one CPU profile, and the share of the budget that
// those of all benchmarks may take. A place with a tenth of the time has ten
// samples in a second of profile, give or take three, which puts places in
// another order from run to run; in five seconds it has fifty, give or take
// seven.
const (
	minCPUProfile   = time.Second
	maxCPUProfile   = 5 * time.Second
	cpuProfileShare = 0.03
	// Of many benchmarks each profile is shorter, lest nothing but profiles be taken.
	cpuProfilesMost = 0.1
	tinyCPUProfile  = time.Second / 4
)

// CPUGoal returns how much CPU time the CPU profile of one of n benchmarks is
// to hold in a run that has this budget.
func CPUGoal(budget time.Duration, n int) time.Duration {
	each := float64(budget) / float64(max(n, 1))
	least := max(min(time.Duration(cpuProfilesMost*each), minCPUProfile), tinyCPUProfile)
	return min(max(time.Duration(cpuProfileShare*each), least), maxCPUProfile)
}

// cpuGoal is CPUGoal of the run for the version that it begins with, whose profile
// is what is reported. Later ones say which of the places that are left comes next:
// the least suffices.
func (v *binaries) cpuGoal() time.Duration {
	if v.name == baseName {
		return v.m.CPUGoal
	}
	return min(v.m.CPUGoal, minCPUProfile)
}

// cpuCosts reads where a benchmark spends its time, and the share of it that
// the garbage collector takes, into c, and returns what no line accounts for.
func (v *State) cpuCosts(ctx context.Context, p model.Plan, c *costs) (rest []model.Unexplained, err error) {
	prof, opt, err := v.takeProfile(ctx, v.bins[p.Benchmark.Pkg], p, "cpu")
	if err != nil {
		return nil, err
	}
	c.cpuProfile = prof
	opt.Total = v.stats[p.Benchmark].CPUNs
	if c.cpu, rest, err = prof.Costs(p.Benchmark, model.CPU, opt); err != nil {
		return nil, err
	}
	c.gcShare, err = prof.GCShare(p.Benchmark, opt)
	return rest, err
}

// memCosts reads where a benchmark allocates in one build into c, and returns
// what no line accounts for.
func (v *State) memCosts(ctx context.Context, b *bench.Binary, p model.Plan, c *costs) (rest []model.Unexplained, err error) {
	prof, opt, err := v.takeProfile(ctx, b, p, "mem")
	if err != nil {
		return nil, err
	}
	opt.Total = v.stats[p.Benchmark].Allocs
	c.memProfile, c.memN = prof, opt.N
	c.allocs, rest, err = prof.Costs(p.Benchmark, model.Allocs, opt)
	return rest, err
}

// allocCosts reads where a benchmark allocates into c, and returns what no line
// accounts for. The heap profile leaves out most allocations below 16 bytes,
// which share a block; where its sum is short of allocs/op, a profile of a
// race-enabled build, in which they do not, fills the gap.
func (v *State) allocCosts(ctx context.Context, p model.Plan, c *costs) (rest []model.Unexplained, err error) {
	bm := p.Benchmark
	want := v.stats[bm].Allocs
	rest, err = v.memCosts(ctx, v.bins[bm.Pkg], p, c)
	if err != nil || sum(c.allocs) >= want-profile.TinyGap || v.m.Go.Vars["CGO_ENABLED"] != "1" {
		return rest, err
	}
	v.m.Watch.Stage("finding tiny allocations", bm.String())
	race, err := v.racedInTime(ctx, v.m.Pkgs[bm.Pkg])
	if err != nil && ctx.Err() == nil || err == nil && race == nil { // no race detector for this platform, or no C compiler: the gap is named instead
		return rest, nil
	}
	var tiny costs
	if err == nil {
		_, err = v.memCosts(ctx, race, p, &tiny)
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded): // what is known is worth having, and so is the other profile
		return rest, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		v.m.Warn(model.Warning{Seen: "no profile of " + bm.String() + " under the race detector", Cause: err.Error(), Try: "tiny allocations are named as unexplained"})
		return rest, nil
	}
	all, more := profile.AddTiny(c.allocs, tiny.allocs, want)
	c.allocs = all
	return append(rest, more...), nil
}

// racedInTime is raced within what the base may take for it; nil where it took longer.
func (v *binaries) racedInTime(ctx context.Context, p gocmd.Package) (race *bench.Binary, err error) {
	v.m.racing.Lock()
	defer v.m.racing.Unlock()
	if v.m.slowRace.Load() {
		return nil, nil
	}
	build := func(ctx context.Context) (err error) {
		race, err = v.raced(ctx, p)
		return err
	}
	if v.name == baseName {
		err = v.m.inRaceTime(ctx, build, nil)
	} else {
		err = build(ctx)
	}
	return race, err
}

func sum(costs []model.Cost) float64 {
	var total float64
	for _, c := range costs {
		total += c.PerOp
	}
	return total
}

// Refuted takes the profiles of one benchmark of a change that was measured and
// is not kept, without asking what they say. The figures are those of before
// with what was measured put in. p is how the benchmark is sampled with the
// change.
func (v *State) Refuted(ctx context.Context, before *State, p model.Plan, a model.Attempt) error {
	v.stats, v.costs = restate(before.stats, a), make(map[model.Benchmark]costs)
	return v.Picture(ctx, p)
}

// Picture takes the profiles of one benchmark to be looked at, without asking
// what they say.
func (v *State) Picture(ctx context.Context, p model.Plan) error {
	b := v.bins[p.Benchmark.Pkg]
	taken, err := profile.SideBySide(func() (*profile.Profile, error) {
		prof, _, err := v.takeProfile(ctx, b, p, bench.CPUProfile)
		return prof, err
	}, func() (*profile.Profile, int64, error) {
		prof, opt, err := v.takeProfile(ctx, b, p, bench.MemProfile)
		return prof, opt.N, err
	})
	v.costs[p.Benchmark] = costs{cpuProfile: taken.CPU, memProfile: taken.Mem, memN: taken.MemOps}
	return err
}

// Pictured reports whether a benchmark has been profiled on v, or has the
// profiles of a version before that is the same there.
func (v *figures) Pictured(bm model.Benchmark) bool { return v.costs[bm].cpuProfile != nil }

// Taken returns the profiles and figures that there are of a benchmark.
func (v *figures) Taken(bm model.Benchmark) profile.Taken {
	c := v.costs[bm]
	return profile.Taken{CPU: c.cpuProfile, Mem: c.memProfile, MemOps: c.memN, Stats: v.stats[bm]}
}

// Moved reports whether a benchmark has profiles of its own on both versions.
func (v *figures) Moved(after *State, bm model.Benchmark) bool {
	a, b := v.costs[bm].cpuProfile, after.costs[bm].cpuProfile
	return a != nil && b != nil && a != b
}
