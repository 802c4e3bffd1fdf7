package attempt

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// duets asks the trial about the change and decides.
func (t *Attempt) duets(ctx context.Context) (*refusal, error) {
	if r, err := t.judge(ctx, t.judges()[0], t.p.Rules(t.number), t.Counts, t.counted); r != nil || err != nil {
		return r, err
	}
	return t.decided(), nil
}

// duetsOfAll lets several benchmarks judge the change. Any of them may show a
// gain, so each has a part of the error rate.
func (t *Attempt) duetsOfAll(ctx context.Context) (*refusal, error) {
	rules := t.p.Rules(t.number)
	rules.Alpha = t.alphaOfEach()
	for _, p := range t.judges() {
		if r, err := t.judge(ctx, p, rules, nil, nil); r != nil || err != nil {
			return r, err
		}
	}
	return t.decided(), nil
}

// alphaOfEach is the error rate that each of the benchmarks that judge may have.
func (t *Attempt) alphaOfEach() float64 {
	return t.p.Rules(t.number).Alpha / float64(max(1, len(t.judges())))
}

// judge takes in what one benchmark shows. counts and prior, the units that they
// are from, are nil where nobody has counted yet.
func (t *Attempt) judge(ctx context.Context, p model.Plan, rules judge.Rules, counts []model.Exact, prior [][2]model.Sample) (*refusal, error) {
	f, err := t.ask(ctx, p, rules, counts, prior)
	if err != nil {
		return t.candidateFailed(ctx, err)
	}
	t.Verdicts = append(t.Verdicts, f.Verdict)
	if counts == nil {
		t.Counts = append(t.Counts, f.Counts...)
	}
	t.combine(f.Answer, f.Counts, len(t.judges()))
	return nil, nil
}

// decided is what the benchmarks that judge have come to.
func (t *Attempt) decided() *refusal {
	switch {
	case t.Outcome.Kept():
		return nil
	case t.Outcome == model.Unsettled:
		return &refusal{undecided, t.Reason}
	}
	return &refusal{refuted, t.Reason}
}

// heap looks whether time was bought with memory: the peak of the live heap in
// each benchmark that judged the change. It is for changes without obligations:
// what pawl's own keep is bounded by theirs, and shown at the end.
func (t *Attempt) heap(ctx context.Context) (*refusal, error) {
	for _, p := range t.judges() {
		bm := p.Benchmark
		g, err := t.p.Trial.HeapGuard(ctx, t.p.Local, p, t.Base.Binary(bm.Pkg), t.Next.Binary(bm.Pkg), t.alphaOfEach())
		if err != nil {
			return t.candidateFailed(ctx, err)
		}
		t.Guards = append(t.Guards, g)
		if g.Tripped {
			return &refusal{moreMemory, "its cost moved to memory: " + bm.String() + ": " + g.Detail}, nil
		}
	}
	return nil, nil
}

// combine takes in what was measured in one benchmark. A patch is judged by
// several: one of them must gain, and none may lose, be it time or objects.
// Where one is open, that another shows no effect is not enough to refute it.
func (t *Attempt) combine(a trial.Answer, counts []model.Exact, of int) {
	o, reason := decide(a, counts)
	if of == 1 {
		t.Outcome, t.Reason = o, reason
		return
	}
	reason = a.Verdict.Benchmark.String() + ": " + reason
	switch {
	case t.vetoed:
	case a.Verdict.Answer == model.Slower, Rose(counts, "allocs/op"):
		t.Outcome, t.Reason, t.vetoed = model.RolledBack, reason, true
	case o.Kept() && t.Outcome.Kept():
		t.Reason += "; " + reason
	case o.Kept(), o == model.Unsettled && t.Outcome == model.RolledBack, t.Reason == "":
		t.Outcome, t.Reason = o, reason
	}
}

// soundUnits is how many duets an allocation win takes at least where something
// rests on the interval of its time, what it is worth in production: with fewer
// that has no ends.
const soundUnits = 8

// linkShare is how much longer than the duets of one link the fresh links of a
// small difference may take.
const linkShare = 3

// judgeShare is the part of what is left that the duets of a change alone may
// take: the peak of the heap and other benchmarks come after them.
const judgeShare = 0.7

// share is how long the duets of the next benchmark may take. Where the run is
// about this change alone it ends with the budget, so that each has its part, and
// its fresh links theirs.
func (t *Attempt) share() time.Duration {
	if !t.policy.alone {
		return t.p.Left()
	}
	questions := max(1, len(t.judges())-len(t.Verdicts)) * (1 + linkShare)
	return time.Duration(judgeShare * float64(t.p.Left()) / float64(questions))
}

// ask puts one question to the trial and keeps its samples.
func (t *Attempt) ask(ctx context.Context, p model.Plan, rules judge.Rules, counts []model.Exact, prior [][2]model.Sample) (trial.Found, error) {
	bm := p.Benchmark
	c := trial.Comparison{
		Question: trial.Question{
			Plan: p, Base: t.Base.Binary(bm.Pkg), Cand: t.Next.Binary(bm.Pkg), Prior: prior,
			Rules:  verdict.Rules{Judge: rules, Level: 1 - t.p.Alpha},
			Budget: min(t.p.PerChange, max(t.share(), time.Second)),
		},
		Counts: counts, CountAlpha: rules.Alpha / countMetrics, Narrow: t.narrow,
	}
	if links, ok := t.Next.Links(t.Base, bm.Pkg); ok {
		c.Links, c.LinkBudget = links, linkShare*c.Budget
		c.Deadline = time.Now().Add(max(t.p.Left(), time.Second))
	}
	f, err := t.p.Trial.Compare(ctx, c, func(pr trial.Progress) { t.m.Watch.Detail(DuetText(bm, pr)) })
	if f.Counts == nil {
		return f, err
	}
	return f, errors.Join(err, t.m.SaveSamples(bm, t.Change.ID, f.Samples))
}

// narrow asks less of a change that saves allocations: that it costs no time.
// A slowdown by the floor is excluded as soon as the evidence against one reaches
// 1/β, which holds after any unit: ExcludesSlowdown errs in at most β of the
// cases however often it is asked. Six duets that agree suffice, of which the counts
// have taken three. How much faster it is, is for the end to say: original against
// final, on fresh links.
func (t *Attempt) narrow(r verdict.Rules, counts []model.Exact) verdict.Rules {
	if allocationWin(counts) {
		r.Floor, r.AtFloor = verdict.LayoutFloor, true
		if t.p.Production != nil {
			r.MinUnits = soundUnits
		}
	}
	return r
}

// DuetText says how far a question to a benchmark has come.
func DuetText(bm model.Benchmark, p trial.Progress) string {
	return bm.String() + ": " + p.Text()
}
