package state

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/hints"
	"github.com/pawl-dev/pawl/internal/explain/rank"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
)

// Explain finds out what costs on v and why, and type-checks it: it takes the
// profiles and notes that are not there yet, and asks the rules. What is read
// from source goes on beside the profiles, which say shares and counts, not times.
//
// Reading ends with ctx, as does what the Program does later: a go command may hang.
// Profiles end with the time of profiles.
func (v *State) Explain(ctx context.Context, plans []model.Plan, profiles func() time.Duration) error {
	v.ReadAhead(ctx)
	if err := v.measureCosts(ctx, plans, profiles); err != nil {
		return err
	}
	if v.reading == nil {
		v.read(ctx)
	}
	v.m.Watch.Stage("looking for changes", "")
	return v.reading.Within(ctx)
}

// StopReading tells what ReadAhead began to end, and does not wait for it. Nil has begun nothing.
func (v *State) StopReading() {
	if v != nil && v.reading != nil {
		v.reading.cancel()
	}
}

// measureCosts takes the profiles and notes that are not there yet. A benchmark whose
// profiles are not done when their time is over is left out with a warning.
func (v *State) measureCosts(ctx context.Context, plans []model.Plan, profiles func() time.Duration) error {
	todo := slices.DeleteFunc(slices.Clone(plans), func(p model.Plan) bool {
		_, ok := v.costs[p.Benchmark] // those of a version before serve
		return ok
	})
	if err := v.profileAll(ctx, todo, profiles); err != nil {
		return err
	}
	if v.notes != nil && len(v.unread(plans)) == 0 { // the guard has asked for those of a kept change
		return nil
	}
	v.m.Watch.Stage("reading the compiler's notes", "")
	return v.takeNotes(ctx, plans)
}

// leastProfile is how long profiles of one benchmark may take at least, if there is as much;
// others that are to be profiled need time, too.
const leastProfile = 10 * time.Second

// unprofiled is the warning of a benchmark that the time did not suffice to profile.
func unprofiled(bm model.Benchmark) model.Warning {
	return model.Warning{
		Seen:  "nothing is known of what costs in " + bm.String() + ": its profiles were not done in time",
		Cause: "a machine that other programs keep busy, or a small -budget",
		Try:   "a quieter moment, a larger -budget, or fewer benchmarks with -bench",
	}
}

// takeNotes asks the compiler about the packages that the profiles show, those
// of dependencies included where something is allocated in them.
func (v *State) takeNotes(ctx context.Context, plans []model.Plan) error {
	v.patterns = slices.Concat(v.patterns, v.unread(plans))
	return v.take(ctx)
}

// unread are the packages that the notes of v are to be about, and are not.
func (v *State) unread(plans []model.Plan) (out []string) {
	want := v.m.Names()
	for _, p := range plans {
		c := v.costs[p.Benchmark]
		want = append(want, escape.Packages(slices.Concat(c.allocs, c.cpu), false)...)
	}
	for _, pkg := range want {
		if !slices.Contains(v.patterns, pkg) && !slices.Contains(out, pkg) {
			out = append(out, pkg)
		}
	}
	return out
}

// Targets ranks what costs. What is left unexplained follows the order of plans.
func (v *State) Targets(plans []model.Plan) ([]model.Target, []model.Unexplained) {
	in := rank.Input{
		Allocs: make(map[model.Benchmark][]model.Cost), CPU: make(map[model.Benchmark][]model.Cost),
		GCShare: make(map[model.Benchmark]float64), Stats: v.stats, Notes: v.notes,
		Locks: make(map[model.Benchmark][]model.Cost), Scaling: make(map[model.Benchmark]model.Scaling),
		Source: v.m.Source,
	}
	for _, p := range plans { // in their order, which that of Unexplained follows
		bm := p.Benchmark
		c, ok := v.costs[bm]
		if !ok || c.late {
			continue
		}
		in.Allocs[bm], in.CPU[bm], in.GCShare[bm] = c.allocs, c.cpu, c.gcShare
		in.Locks[bm] = c.locks
		if c.scaling != nil {
			in.Scaling[bm] = *c.scaling
		}
		in.Unexplained = append(in.Unexplained, c.unexplained...)
	}
	return rank.Targets(in)
}

// Hints asks the compiler what it would take to do better on the lines that
// cost. The version must be explained.
func (v *State) Hints(ctx context.Context) ([]model.Finding, error) {
	v.m.Watch.Stage("asking the compiler what would help", "suggestions are compiled before they are made")
	c := hints.Config{
		Go: v.m.Go, Root: v.m.Snap.Dir, Module: v.m.Snap.ModuleDir, Scratch: v.m.Scratch, Pkgs: v.m.Names(), Notes: v.notes,
		CPU: map[model.Benchmark][]model.Cost{}, Allocs: map[model.Benchmark][]model.Cost{},
		GCShare: map[model.Benchmark]float64{}, Stats: v.stats,
	}
	for bm, costs := range v.costs {
		c.CPU[bm], c.Allocs[bm], c.GCShare[bm] = costs.cpu, costs.allocs, costs.gcShare
	}
	return hints.Find(ctx, c)
}
