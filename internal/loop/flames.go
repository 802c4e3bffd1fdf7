package loop

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
	"github.com/pawl-dev/pawl/internal/trial"
)

// A progress is a change, with what the profiles said before and after it.
type progress struct {
	change        model.Change
	kept          bool
	before, after profiled
}

// A profiled is a version as its profiles have it: Explain fills the costs
// later than the version is made.
type profiled struct {
	stats map[model.Benchmark]model.Stats
	costs map[model.Benchmark]costs
}

func (v *version) profiled() profiled { return profiled{v.stats, v.costs} }

// taken is what there is of one benchmark.
func (v profiled) taken(bm model.Benchmark) profile.Taken {
	c := v.costs[bm]
	return profile.Taken{CPU: c.cpuProfile, Mem: c.memProfile, MemOps: c.memN, Stats: v.stats[bm]}
}

// profileFinal takes the profiles of the final state that are not there: after
// the last change that was kept nothing was looked for any more. Without them
// the page has no flame graphs; the run is as good as it was.
func (s *Session) profileFinal(ctx context.Context) {
	if !slices.ContainsFunc(s.steps, func(st progress) bool { return st.kept }) {
		return
	}
	for _, p := range s.Run.Plans {
		if _, ok := s.now.costs[p.Benchmark]; ok || ctx.Err() != nil {
			continue
		}
		if err := s.profile(ctx, s.now, p); err != nil && ctx.Err() == nil {
			s.warn(profile.NoFlames(p.Benchmark, err))
		}
	}
}

// refutedShare is the part of the budget after which no more profiles of changes
// that were rolled back are taken: they are there to be looked at, and the next
// idea is worth more.
const refutedShare = 0.05

// profileRefuted takes the profiles of a change that was measured and comes to
// nothing: they show why. It is called before the change's binaries are gone.
func (s *Session) profileRefuted(ctx context.Context, t *tried) {
	if len(t.Verdicts) == 0 || ctx.Err() != nil || s.refuting.Seconds() > refutedShare*s.opt.Budget.Seconds() {
		return
	}
	start := time.Now()
	defer func() { s.refuting += time.Since(start) }()
	v := t.Verdicts[len(t.Verdicts)-1] // the one that decided
	if s.now.costs[v.Benchmark].cpuProfile == nil {
		return
	}
	s.stage("profiling what was refuted", v.Benchmark.String())
	c, err := s.both(ctx, t.next, trial.OfCandidate(s.plan(v.Benchmark), v.Change))
	if err != nil {
		if ctx.Err() == nil {
			t.Warnings = append(t.Warnings, profile.NoFlames(v.Benchmark, err))
		}
		return
	}
	after := profiled{restate(s.now.stats, t.Attempt), map[model.Benchmark]costs{v.Benchmark: c}}
	s.steps = append(s.steps, progress{t.Change, false, s.now.profiled(), after})
}

// both takes the profiles of a benchmark without asking what they say.
func (s *Session) both(ctx context.Context, v *version, p model.Plan) (costs, error) {
	bin := v.bins[p.Benchmark.Pkg]
	taken, err := profile.SideBySide(func() (*profile.Profile, error) {
		prof, _, err := s.takeProfile(ctx, v, bin, p, bench.CPUProfile)
		return prof, err
	}, func() (*profile.Profile, int64, error) {
		prof, opt, err := s.takeProfile(ctx, v, bin, p, bench.MemProfile)
		return prof, opt.N, err
	})
	return costs{cpuProfile: taken.CPU, memProfile: taken.Mem, memN: taken.MemOps}, err
}

// flames returns the call trees of the page: for each benchmark that runs what
// was changed original against final, and by Change.ID those before and after a
// change, in the benchmark that it aimed at. A run that kept one change has the
// same twice: then it has the first only.
func (s *Session) flames() (whole []model.Flame, steps map[string][]model.Flame, err error) {
	type pair struct {
		change        string // ID; "" for the whole run
		bm            model.Benchmark
		before, after profiled
	}
	var all []pair
	for _, p := range s.Run.Plans {
		bm := p.Benchmark
		if slices.ContainsFunc(s.steps, func(st progress) bool { return st.kept && st.before.moved(st.after, bm) }) {
			before, after := s.orig.profiled(), s.now.profiled()
			before.stats, after.stats = s.measured()
			all = append(all, pair{"", bm, before, after})
		}
	}
	for _, st := range s.steps {
		if bm, ok := s.aim(st); ok && !(st.kept && s.Run.Kept() == 1) {
			all = append(all, pair{st.change.ID, bm, st.before, st.after})
		}
	}
	steps = make(map[string][]model.Flame)
	o := profile.FlameOptions{Module: profile.InModule(s.Run.Module), Nodes: profile.NodesOf(2 * len(all))}
	for _, q := range all {
		fs, err := profile.BenchmarkFlames(q.bm, q.before.taken(q.bm), q.after.taken(q.bm), o)
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

// measured returns what the comparison of original and final found: the figures
// of the page.
func (s *Session) measured() (before, after map[model.Benchmark]model.Stats) {
	before, after = make(map[model.Benchmark]model.Stats), make(map[model.Benchmark]model.Stats)
	for _, r := range s.Run.Results {
		before[r.Benchmark], after[r.Benchmark] = r.Before, r.After
	}
	return before, after
}

// aim returns the benchmark that shows a change: the one that it aimed at, or
// else the first whose profiles it moved.
func (s *Session) aim(st progress) (model.Benchmark, bool) {
	if p, ok := s.primary(st.change); ok && st.before.moved(st.after, p.Benchmark) {
		return p.Benchmark, true
	}
	for _, p := range s.Run.Plans {
		if st.before.moved(st.after, p.Benchmark) {
			return p.Benchmark, true
		}
	}
	return model.Benchmark{}, false
}

// moved reports whether a benchmark has profiles of its own on both versions.
func (v profiled) moved(after profiled, bm model.Benchmark) bool {
	a, b := v.costs[bm], after.costs[bm]
	return a.cpuProfile != nil && b.cpuProfile != nil && a.cpuProfile != b.cpuProfile
}
