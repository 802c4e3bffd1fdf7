package loop

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
)

// A progress is a kept change, with what the profiles said before and after it.
type progress struct {
	change        model.Change
	before, after profiled
}

// A profiled is a version as its profiles have it: Explain fills the costs
// later than the version is made.
type profiled struct {
	stats map[model.Benchmark]model.Stats
	costs map[model.Benchmark]costs
}

func (v *version) profiled() profiled { return profiled{v.stats, v.costs} }

// profileFinal takes the profiles of the final state that are not there: after
// the last change that was kept nothing was looked for any more.
func (s *Session) profileFinal(ctx context.Context) error {
	for _, p := range s.Run.Plans {
		if _, ok := s.now.costs[p.Benchmark]; ok || ctx.Err() != nil {
			continue
		}
		if err := s.profile(ctx, s.now, p); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// The page has room for so many frames of all its flame graphs together, and a
// graph with fewer than the least shows too little.
const (
	mostFrames  = 9000
	leastFrames = 250
)

// flames returns the call trees of the page: for each benchmark that runs what
// was changed original against final, and by Change.ID those before and after a
// change that was kept, in the benchmark that it aimed at. A run that kept one
// change has the same twice: then it has the first only.
func (s *Session) flames() (whole []model.Flame, steps map[string][]model.Flame, err error) {
	var all []pair
	for _, p := range s.Run.Plans {
		bm := p.Benchmark
		if slices.ContainsFunc(s.steps, func(st progress) bool { return st.before.moved(st.after, bm) }) {
			before, after := s.orig.profiled(), s.now.profiled()
			before.stats, after.stats = s.measured()
			all = append(all, pairOf("", bm, before, after)...)
		}
	}
	if len(s.steps) > 1 {
		for _, st := range s.steps {
			if bm, ok := s.aim(st); ok {
				all = append(all, pairOf(st.change.ID, bm, st.before, st.after)...)
			}
		}
	}
	steps = make(map[string][]model.Flame)
	nodes := max(leastFrames, min(profile.FlameNodes, mostFrames/max(len(all), 1)))
	for _, q := range all {
		q.opt.Module, q.opt.Nodes = profile.InModule(s.Run.Module), nodes
		f, err := profile.NewFlame(q.base, q.final, q.opt)
		if err != nil {
			return nil, nil, err
		}
		if q.change == "" {
			whole = append(whole, *f)
		} else {
			steps[q.change] = append(steps[q.change], *f)
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

// aim returns the benchmark that shows a change: the one that it aimed at, or of
// a patch the first that runs what it changed.
func (s *Session) aim(st progress) (model.Benchmark, bool) {
	if p, ok := s.primary(st.change); ok {
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

// A pair is two profiles that make one flame graph.
type pair struct {
	change      string // ID; "" for the whole run
	base, final *profile.Profile
	opt         profile.FlameOptions
}

// pairOf returns the CPU time and the allocations of a benchmark on two
// versions, those that there are.
func pairOf(change string, bm model.Benchmark, before, after profiled) []pair {
	a, b := before.costs[bm], after.costs[bm]
	x, y := before.stats[bm], after.stats[bm]
	var out []pair
	if a.cpuProfile != nil && b.cpuProfile != nil {
		out = append(out, pair{change, a.cpuProfile, b.cpuProfile, profile.FlameOptions{
			Title: bm.String(), Type: "cpu", Benchmark: &bm, PerOp: [2]float64{x.CPUNs, y.CPUNs},
		}})
	}
	if a.memProfile != nil && b.memProfile != nil && x.Allocs+y.Allocs > 0 {
		out = append(out, pair{change, a.memProfile, b.memProfile, profile.FlameOptions{
			// Not shares of allocs/op: which tiny objects a profile leaves out differs.
			Title: bm.String(), Type: "alloc_objects", Benchmark: &bm, Ops: [2]float64{float64(a.memN), float64(b.memN)},
		}})
	}
	return out
}
