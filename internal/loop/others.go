package loop

import (
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/judge"
)

// maxOthers is how many further benchmarks a change that is about to be kept
// has to pass.
const maxOthers = 3

// guardBenchmarks checks that a change does not pay for one benchmark with
// another: those whose profiles show the changed files must not be slower, nor
// allocate more.
func (s *Session) guardBenchmarks(ctx context.Context, t *tried, judged []model.Plan, number int) error {
	others := s.others(t, judged)
	for i, p := range others {
		if i == maxOthers {
			t.Warnings = append(t.Warnings, model.Warning{
				Seen: fmt.Sprintf("%d further benchmarks that run the changed files were not compared", len(others)-maxOthers),
				Try:  "the comparison of all of them at the end",
			})
			break
		}
		if err := s.guardBenchmark(ctx, t, p, number); err != nil || t.Outcome != model.Kept {
			return err
		}
	}
	return nil
}

func (s *Session) guardBenchmark(ctx context.Context, t *tried, p model.Plan, number int) error {
	r := judge.RegressRules()
	r.Alpha = judge.AlphaAt(s.opt.Alpha, number)
	bm := p.Benchmark
	a, err := s.trial.Ask(ctx, trial.Question{
		Plan: p, Base: s.now.bins[bm.Pkg], Cand: t.next.bins[bm.Pkg], Rules: r,
		Floor: trial.LayoutFloor, AtFloor: true, Budget: s.opt.PerChange / 2, Level: 1 - s.opt.Alpha,
	}, func(pr trial.Progress) { s.detail("guard " + duetText(bm, pr)) })
	if err != nil {
		_, err = s.candidateFailed(ctx, t, err)
		return err
	}
	t.Verdicts = append(t.Verdicts, a.Verdict)
	counts := trial.Compare(a.Samples)
	t.Counts = append(t.Counts, counts...)
	switch {
	case a.Verdict.Answer == model.Slower && a.Verdict.Change > trial.LayoutFloor:
		t.Outcome, t.Reason = model.RolledBack, fmt.Sprintf("%s becomes slower by %s", bm, percent(a.Verdict.Change))
	case rose(counts, "allocs/op"):
		t.Outcome, t.Reason = model.RolledBack, fmt.Sprintf("%s allocates more: %s", bm, countsText(counts))
	}
	return s.saveSamples(bm, t.Change.ID, a.Samples)
}

// others lists the plans of benchmarks that were not judged and whose profiles
// show a file that the change touches.
func (s *Session) others(t *tried, judged []model.Plan) []model.Plan {
	var out []model.Plan
	for _, p := range s.Run.Plans {
		if slices.ContainsFunc(judged, func(q model.Plan) bool { return q.Benchmark == p.Benchmark }) {
			continue
		}
		if s.now.runs(p.Benchmark, t.after) {
			out = append(out, p)
		}
	}
	return out
}

// runs reports whether a benchmark's profiles show any of the files.
func (v *version) runs(bm model.Benchmark, files map[string][]byte) bool {
	c := v.costs[bm]
	for _, cost := range slices.Concat(c.allocs, c.cpu) {
		for _, f := range cost.Stack {
			if _, ok := files[f.File]; ok {
				return true
			}
		}
	}
	return false
}
