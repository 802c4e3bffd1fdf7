package optimize

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// A progress is a change, with the states before and after it.
type progress struct {
	change        model.Change
	kept          bool
	before, after *state.State
}

// profileFinal takes the profiles that are not there: of the final state, and then of
// those that were kept on the way, in the benchmarks that these changes aimed at. Without
// them the page has no flame graphs; the run is as good as it was. There are none of
// what the budget has no time for.
func (p *page) profileFinal(ctx context.Context, now *state.State) {
	if !slices.ContainsFunc(p.steps, func(st progress) bool { return st.kept }) {
		return
	}
	picture := func(v *state.State, q model.Plan) {
		if v.Pictured(q.Benchmark) || ctx.Err() != nil {
			return
		}
		if err := v.Picture(ctx, q); err != nil && ctx.Err() == nil {
			p.m.Warn(profile.NoFlames(q.Benchmark, err))
		}
	}
	for _, q := range p.run.Plans {
		picture(now, q)
	}
	for _, st := range p.steps {
		for _, q := range p.run.Plans {
			if st.kept && aims(st.change, q.Benchmark) {
				picture(st.before, q)
				picture(st.after, q)
			}
		}
	}
}

// aims reports whether a change was made for a benchmark first.
func aims(c model.Change, bm model.Benchmark) bool {
	return len(c.Targets) > 0 && c.Targets[0].Benchmark == bm
}

// shown are the packages, by import path, whose benchmarks show the steps to and from a state.
func (p *page) shown(v *state.State) map[string]bool {
	pkgs := make(map[string]bool)
	for _, st := range p.steps {
		if len(st.change.Targets) > 0 && (st.before == v || st.after == v) {
			pkgs[st.change.Targets[0].Benchmark.Pkg] = true
		}
	}
	return pkgs
}

// refutedShare is the part of the budget after which no more profiles of changes
// that were rolled back are taken: they are there to be looked at, and the next
// idea is worth more.
const refutedShare = 0.03

// notKept takes the profiles of a change that was measured and comes to nothing:
// they show why. It is called before the change's binaries are gone.
func (p *page) notKept(ctx context.Context, t *attempt.Attempt) {
	if len(t.Verdicts) == 0 || ctx.Err() != nil || (p.refuting+pictureTakes).Seconds() > refutedShare*p.budget.Seconds() {
		return
	}
	start := time.Now()
	defer func() { p.refuting += time.Since(start) }()
	v := t.Verdicts[len(t.Verdicts)-1] // the one that decided
	if t.Base.Taken(v.Benchmark).CPU == nil {
		return
	}
	p.m.Watch.Stage("profiling what was not kept", v.Benchmark.String())
	i := slices.IndexFunc(p.run.Plans, func(q model.Plan) bool { return q.Benchmark == v.Benchmark })
	if err := t.Next.Refuted(ctx, t.Base, trial.OfCandidate(p.run.Plans[i], v.Change), t.Attempt); err != nil {
		if ctx.Err() == nil {
			t.Warnings = append(t.Warnings, profile.NoFlames(v.Benchmark, err))
		}
		return
	}
	p.steps = append(p.steps, progress{t.Change, false, t.Base, t.Next})
}

// pictureTime is how much time has to be left for profiles of both sides: nothing
// rests on them.
const pictureTime = 8 * time.Second

// ofBoth takes the profiles of a change that was measured and is not kept, and
// those of the base beside them.
func (p *page) ofBoth(ctx context.Context, t *attempt.Attempt) {
	if len(t.Verdicts) == 0 {
		return
	}
	bm := t.Verdicts[len(t.Verdicts)-1].Benchmark
	i := slices.IndexFunc(p.run.Plans, func(q model.Plan) bool { return q.Benchmark == bm })
	if err := t.Base.Picture(ctx, p.run.Plans[i]); err == nil {
		p.notKept(ctx, t)
	}
}

// flames returns the call trees of the page: for each benchmark that runs what
// was changed original against final, and by Change.ID those before and after a
// change, in the benchmark that it aimed at. A run that kept one change has the
// same twice: then it has the first only.
func (p *page) flames(base, now *state.State) (whole []model.Flame, steps map[string][]model.Flame, err error) {
	type pair struct {
		change        string // ID; "" for the whole run
		bm            model.Benchmark
		before, after profile.Taken
	}
	var all []pair
	for _, q := range p.run.Plans {
		bm := q.Benchmark
		if base.Moved(now, bm) {
			before, after := base.Taken(bm), now.Taken(bm)
			before.Stats, after.Stats = p.measured(bm)
			all = append(all, pair{"", bm, before, after})
		}
	}
	for _, st := range p.steps {
		if bm, ok := p.aim(st); ok && !(st.kept && p.run.Kept() == 1) {
			all = append(all, pair{st.change.ID, bm, st.before.Taken(bm), st.after.Taken(bm)})
		}
	}
	steps = make(map[string][]model.Flame)
	o := profile.FlameOptions{Module: profile.InModule(p.run.Module), Nodes: profile.NodesOf(2 * len(all))}
	for _, q := range all {
		fs, err := profile.BenchmarkFlames(q.bm, q.before, q.after, o)
		if err != nil {
			return nil, nil, err
		}
		if q.change == "" {
			whole = append(whole, fs...)
		} else {
			steps[q.change] = append(steps[q.change], fs...)
		}
	}
	return whole, steps, nil
}

// measured returns what the comparison of original and final found of a
// benchmark: the figures of the page.
func (p *page) measured(bm model.Benchmark) (before, after model.Stats) {
	for _, r := range p.run.Results {
		if r.Benchmark == bm {
			return r.Before, r.After
		}
	}
	return before, after
}

// aim returns the benchmark that shows a change: the one that it aimed at, or
// else the first whose profiles it moved.
func (p *page) aim(st progress) (model.Benchmark, bool) {
	var all []model.Benchmark
	if len(st.change.Targets) > 0 {
		all = append(all, st.change.Targets[0].Benchmark)
	}
	for _, q := range p.run.Plans {
		all = append(all, q.Benchmark)
	}
	for _, bm := range all {
		if st.before.Moved(st.after, bm) {
			return bm, true
		}
	}
	return model.Benchmark{}, false
}
