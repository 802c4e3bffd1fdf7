package attempt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// MaxOthers is how many further benchmarks changes that are about to be kept
// have to pass, of those that may have nothing to do with them.
const MaxOthers = 3

// Spare puts a change that was proven, or several at once, through what needs the machine
// alone and not the tree: that no benchmark pays for what another gains. The outcome says
// whether it passed; of several it does not say which did not.
func (t *Attempt) Spare(ctx context.Context) error {
	if !t.Outcome.Kept() || len(t.policy.last) == 0 {
		return nil
	}
	start := time.Now()
	defer func() {
		t.Seconds += time.Since(start).Seconds()
		t.failedBenchmarks()
	}()
	return t.pass(ctx, t.policy.last)
}

// besides are the benchmarks that must not pay for the change, or for any of its parts.
func (t *Attempt) besides() (out []model.Plan) {
	if len(t.parts) == 0 {
		return t.jury().besides()
	}
	for _, part := range t.parts {
		for _, p := range part.jury().besides() {
			if !slices.ContainsFunc(out, func(q model.Plan) bool { return q.Benchmark == p.Benchmark }) {
				out = append(out, p)
			}
		}
	}
	return out
}

// others checks that a change does not pay for one benchmark with another:
// those whose profiles show the changed functions must not be slower, nor allocate
// more. Where these are few, benchmarks that have no profiles yet take their places.
func (t *Attempt) others(ctx context.Context) (*refusal, error) {
	others := t.besides()
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
				Seen: fmt.Sprintf("of %s that run what changes, CPU time was not compared", words.Plural(len(others)-MaxOthers, "further benchmark")),
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

// otherShare is the part of what is left to prove a change in that one other benchmark may
// take after its proof.
const otherShare = 4

// share is how long one other benchmark may take.
func (t *measuring) share() time.Duration {
	if len(t.policy.last) == 0 {
		return t.p.Left()
	}
	return t.p.ToProve() / otherShare
}

// other checks one benchmark that does not judge the change.
func (t *measuring) other(ctx context.Context, p model.Plan) (r *refusal, err error) {
	bm := p.Benchmark
	a, err := t.askOther(ctx, p)
	if err != nil {
		return t.candidateFailed(ctx, err)
	}
	t.Verdicts = append(t.Verdicts, a.Verdict)
	counts := verdict.Counts(a.Samples, 1)
	t.Counts = append(t.Counts, counts...)
	if how := harm(a.Verdict, counts); how != "" {
		r = t.pays(how)
	} else if how := doubtful(a); how != "" {
		r = &refusal{undecided, how}
	}
	return r, t.m.SaveSamples(bm, t.Change.ID, a.Samples)
}

// askOther asks one link of each side whether a benchmark becomes slower, and fresh links where that says so: what it shows may be
// its luck.
func (t *measuring) askOther(ctx context.Context, p model.Plan) (trial.Answer, error) {
	rules := judge.RegressRules()
	rules.Alpha = judge.AlphaAt(t.p.Alpha, t.number)
	bm := p.Benchmark
	q := trial.Question{
		Plan: p, Base: t.Base.Binary(bm.Pkg), Cand: t.Next.Binary(bm.Pkg), Budget: min(t.p.PerChange/2, max(t.share(), time.Second)),
		Rules: verdict.Rules{Judge: rules, Floor: verdict.LayoutFloor, AtFloor: true, Level: 1 - t.p.Alpha},
	}
	watch := func(pr trial.Progress) { t.m.Watch.Detail("guard " + DuetText(bm, pr)) }
	first, err := t.p.Trial.Ask(ctx, q, watch)
	links, ok := t.Next.Links(t.Base, bm.Pkg)
	if err != nil || harm(first.Verdict, nil) == "" || !verdict.NeedsLinks(first.Verdict) || !ok {
		return first, err
	}
	q.Links = links
	a, err := t.p.Trial.AskOnLinks(ctx, q, watch)
	a.Screen, a.Samples = &first.Verdict, append(first.Samples, a.Samples...)
	return a, err
}

// doubtful says that a benchmark may become slower, where one link of each side said so and fresh links had too little time;
// "" where that is not so.
func doubtful(a trial.Answer) string {
	v := a.Verdict
	if a.Screen == nil || v.Answer != model.Undecided || v.Change <= verdict.LayoutFloor {
		return ""
	}
	return fmt.Sprintf("%s may become slower, by %s so far: not separable from the layout of the code", v.Benchmark, words.Percent(v.Change))
}

// harm says in which figures a benchmark pays for a change, "" for none.
func harm(v model.Verdict, counts []model.Exact) string {
	var how []string
	if v.Answer == model.Slower && v.Change > verdict.LayoutFloor {
		how = append(how, "becomes slower by "+words.Percent(v.Change))
	}
	if Rose(counts, "allocs/op") {
		how = append(how, "allocates more: "+countsText(counts))
	}
	if len(how) == 0 {
		return ""
	}
	return v.Benchmark.String() + " " + strings.Join(how, ", and ")
}

// pays refuses a change that has gained, since another benchmark pays for it. Where that is allowed it is a part of the reason.
func (t *subject) pays(how string) *refusal {
	switch {
	case !t.policy.trades:
		return &refusal{othersPay, how}
	case !t.allowsTrades():
		return &refusal{traded, how}
	}
	t.pay(how)
	return nil
}

// countsHold counts at once what all quick benchmarks allocate whose program differs, and refuses a
// change with which another than its judge allocates more objects.
func (t *measuring) countsHold(ctx context.Context) (*refusal, error) {
	t.m.Watch.Detail("counting allocations of other benchmarks")
	found, err := t.p.census(ctx, t.Base, t.Next, t.p.Quick, t.p.Left()/othersShare, nil)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		switch {
		case slices.ContainsFunc(t.jury().judges(), func(p model.Plan) bool { return p.Benchmark == c[0].Benchmark }):
			continue
		case rises(c):
			return &refusal{othersPay, fmt.Sprintf("%s allocates more: %s", c[0].Benchmark, countsText(c))}, nil
		case !c[0].Equal() || !c[1].Equal():
			t.Counts = append(t.Counts, c...)
		}
	}
	return nil, nil
}

// othersShare is the part of what is left of the budget that one process of such a census
// may take.
const othersShare = 20
