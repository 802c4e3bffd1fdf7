package attempt

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// MaxOthers is how many further benchmarks a change that is about to be kept
// has to pass, of those that may have nothing to do with it.
const MaxOthers = 3

// others checks that a change does not pay for one benchmark with another:
// those whose profiles show the changed files must not be slower, nor allocate
// more. Where these are few, benchmarks that have no profiles yet take their places.
func (t *measuring) others(ctx context.Context) (*refusal, error) {
	others := t.jury().besides()
	if free := MaxOthers - len(others); free > 0 && t.policy.others == nil && t.p.Waiting != nil {
		waiting, err := t.p.Waiting(ctx, free)
		if err != nil {
			return nil, err
		}
		others = append(others, slices.DeleteFunc(waiting, func(p model.Plan) bool { return t.Next.SameProgram(t.Base, p.Benchmark.Pkg) })...)
	}
	for i, p := range others {
		if i == MaxOthers && t.policy.others == nil {
			t.Warnings = append(t.Warnings, model.Warning{
				Seen: fmt.Sprintf("%d further benchmarks that run the changed files were not compared", len(others)-MaxOthers),
				Try:  "the comparison of all of them at the end",
			})
			break
		}
		if r, err := t.other(ctx, p); r != nil || err != nil {
			return r, err
		}
	}
	return nil, nil
}

// other checks one benchmark that does not judge the change.
func (t *measuring) other(ctx context.Context, p model.Plan) (r *refusal, err error) {
	rules := judge.RegressRules()
	rules.Alpha = judge.AlphaAt(t.p.Alpha, t.number)
	bm := p.Benchmark
	a, err := t.p.Trial.Ask(ctx, trial.Question{
		Plan: p, Base: t.Base.Binary(bm.Pkg), Cand: t.Next.Binary(bm.Pkg), Budget: min(t.p.PerChange/2, max(t.p.Left(), time.Second)),
		Rules: verdict.Rules{Judge: rules, Floor: verdict.LayoutFloor, AtFloor: true, Level: 1 - t.p.Alpha},
	}, func(pr trial.Progress) { t.m.Watch.Detail("guard " + DuetText(bm, pr)) })
	if err != nil {
		return t.candidateFailed(ctx, err)
	}
	t.Verdicts = append(t.Verdicts, a.Verdict)
	counts := verdict.Counts(a.Samples, 1)
	t.Counts = append(t.Counts, counts...)
	switch {
	case a.Verdict.Answer == model.Slower && a.Verdict.Change > verdict.LayoutFloor:
		r = &refusal{othersPay, fmt.Sprintf("%s becomes slower by %s", bm, words.Percent(a.Verdict.Change))}
	case Rose(counts, "allocs/op"):
		r = &refusal{othersPay, fmt.Sprintf("%s allocates more: %s", bm, countsText(counts))}
	}
	return r, t.m.SaveSamples(bm, t.Change.ID, a.Samples)
}
