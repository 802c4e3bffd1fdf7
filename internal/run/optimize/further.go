package optimize

import (
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/words"
)

// further measures and profiles some of the benchmarks that wait, and returns what could
// be tried then. It reports whether there was one, and time for it.
func (s *searching) further(ctx context.Context) (changes []model.Change, more bool, err error) {
	if len(s.queue.waiting) == 0 {
		return nil, false, nil
	}
	if s.budget.spent() {
		s.unmeasured()
		return nil, false, nil
	}
	limited, cancel := s.budget.limited(ctx, attempt.Policy{})
	defer cancel()
	known := len(s.Run.Plans)
	err = s.survey().further(limited)
	s.surveyed()
	if err == nil {
		changes, err = s.Explain(limited)
	}
	if err != nil && late(limited) {
		s.unmeasured()
		return nil, false, nil
	}
	s.plan.also(s.Run, s.Run.Plans[known:])
	return changes, err == nil, err
}

// unmeasured notes that the budget is why benchmarks still wait.
func (s *searching) unmeasured() {
	s.Run.Stopped = fmt.Sprintf("budget of %s used up; %s", words.Duration(s.opt.Budget), s.queue.measured())
}

// waiting returns how up to n of the benchmarks that wait are sampled. They go on waiting.
func (s *kit) waiting(ctx context.Context, n int) ([]model.Plan, error) {
	plans, err := s.survey().choose(ctx, func(have int) bool { return have >= n })
	s.queue.back(plans)
	return plans, err
}

// A plan is what is reported of what costs and what could be tried: what there was before
// any change, and of benchmarks that were measured later what there was then.
type plan struct {
	prospects   []model.Prospect
	targets     []model.Target
	unexplained []model.Unexplained
}

// of takes the plan over from a run.
func (p *plan) of(r *model.Run) {
	p.prospects, p.targets, p.unexplained = r.Prospects, r.Targets, r.Unexplained
}

// also takes over what there is of some benchmarks.
func (p *plan) also(r *model.Run, of []model.Plan) {
	ours := func(bm model.Benchmark) bool {
		return slices.ContainsFunc(of, func(q model.Plan) bool { return q.Benchmark == bm })
	}
	ids := make(map[string]string) // that nothing else has
	for _, t := range r.Targets {
		if ours(t.Benchmark) {
			ids[t.ID] = fmt.Sprintf("T%d", len(p.targets)+1)
			t.ID, t.After = ids[t.ID], keptIn(r, t.At.File)
			p.targets = append(p.targets, t)
		}
	}
	for _, x := range r.Prospects {
		if ours(x.Target.Benchmark) {
			x.Target.ID, x.Target.After = ids[x.Target.ID], keptIn(r, x.Target.At.File)
			p.prospects = append(p.prospects, x)
		}
	}
	for _, u := range r.Unexplained {
		if ours(u.Benchmark) {
			p.unexplained = append(p.unexplained, u)
		}
	}
}

// keptIn returns how many of the changes that a run has kept edit a file.
func keptIn(r *model.Run, file string) (n int) {
	for _, a := range r.Attempts {
		if a.Outcome.Kept() && slices.ContainsFunc(a.Change.Edits, func(e model.Edit) bool { return e.File == file }) {
			n++
		}
	}
	return n
}

// restore puts the plan back into the run.
func (p *plan) restore(r *model.Run) {
	r.Prospects, r.Targets, r.Unexplained = p.prospects, p.targets, p.unexplained
}
