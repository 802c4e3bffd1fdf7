package attempt

import (
	"context"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// A measuring are the checks that ask benchmarks.
type measuring struct {
	*subject
	counted [][2]model.Sample // units that were run for their counts
	trade   trade
}

// sampled finds out how the benchmarks of the change are sampled, where nobody has
// yet. They are the base's: what the tree holds of the change they do not read.
func (t *measuring) sampled(ctx context.Context) (r *refusal, err error) {
	if t.policy.sample == nil {
		return nil, nil
	}
	t.policy.judges, t.policy.others, err = t.policy.sample(ctx)
	if err == nil && len(t.policy.judges) == 0 {
		r = &refusal{undecided, "no benchmark that runs the change can be measured without it"}
	}
	return r, err
}

// countsBuilding is countsFall. What shows a change that saves allocations is built meanwhile:
// counts are exact, whatever runs beside them.
func (t *Attempt) countsBuilding(ctx context.Context) (*refusal, error) {
	if saves(t.Change) {
		t.beginNotes(ctx)
		t.buildAhead(ctx, t.jury().judges()[0].Benchmark.Pkg, !t.p.Shares)
	}
	return t.countsFall(ctx)
}

// duets asks the trial about the change and decides.
func (t *Attempt) duets(ctx context.Context) (*refusal, error) {
	p := t.jury().judges()[0]
	switch won := allocationWin(t.Counts); {
	case won && t.begun == nil:
		t.buildAhead(ctx, p.Benchmark.Pkg, !t.p.Shares)
	case !won:
		t.begun.Stop()
		t.p.ahead.begin(ctx, &t.subject, t.p.proving)
	}
	if r, err := t.judge(ctx, p, t.p.Rules(t.number), t.Counts, t.counted); r != nil || err != nil {
		return r, err
	}
	return t.decided(), nil
}

// duetsOfAll lets several benchmarks judge the change. Any of them may show a
// gain, so each has a part of the error rate.
func (t *measuring) duetsOfAll(ctx context.Context) (*refusal, error) {
	rules := t.p.Rules(t.number)
	rules.Alpha = t.jury().alphaOfEach()
	t.countedWorse()
	for _, p := range t.jury().judges() {
		if r, err := t.judge(ctx, p, rules, nil, nil); r != nil || err != nil {
			return r, err
		}
	}
	return t.decided(), nil
}

// judge takes in what one benchmark shows. counts and prior, the units that they
// are from, are nil where nobody has counted yet.
func (t *measuring) judge(ctx context.Context, p model.Plan, rules judge.Rules, counts []model.Exact, prior [][2]model.Sample) (*refusal, error) {
	f, err := t.jury().ask(ctx, p, rules, counts, prior)
	if err != nil {
		return t.candidateFailed(ctx, err)
	}
	t.Verdicts = append(t.Verdicts, f.Verdict)
	if counts == nil {
		t.Counts = append(t.Counts, f.Counts...)
	}
	t.combine(f.Answer, f.Counts, len(t.jury().judges()))
	return nil, nil
}

// decided is what the benchmarks that judge have come to.
func (t *measuring) decided() *refusal {
	switch {
	case t.Outcome.Kept():
		return nil
	case t.Outcome == model.Unsettled:
		return &refusal{undecided, t.Reason}
	case t.policy.trades && t.trade.gains:
		return &refusal{traded, t.Reason}
	}
	return &refusal{refuted, t.Reason}
}

// heap looks whether time was bought with memory: the peak of the live heap in
// each benchmark that judged the change. It is for changes without obligations:
// what pawl's own keep is bounded by theirs, and shown at the end.
func (t *measuring) heap(ctx context.Context) (*refusal, error) {
	for _, p := range t.jury().judges() {
		bm := p.Benchmark
		g, err := t.p.Trial.HeapGuard(ctx, t.p.Local, p, t.Base.Binary(bm.Pkg), t.Next.Binary(bm.Pkg), t.jury().alphaOfEach())
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
// several: one of them must gain, and none may lose, be it time or objects, unless
// that is allowed. Where one is open, that another shows no effect is not enough to refute it.
func (t *measuring) combine(a trial.Answer, counts []model.Exact, of int) {
	o, reason := decide(a, counts)
	if of > 1 {
		reason = a.Verdict.Benchmark.String() + ": " + reason
	}
	t.trade.add(a, counts, o, reason)
	switch {
	case len(t.trade.lost) > 0:
		t.Outcome, t.Reason = t.trade.outcome(t.allowsTrades())
		if t.Price = ""; t.Outcome.Kept() {
			t.pay(t.trade.price())
		}
	case o.Kept() && t.Outcome.Kept():
		t.Reason += "; " + reason
	case o.Kept(), o == model.Unsettled && t.Outcome == model.RolledBack, t.Reason == "":
		t.Outcome, t.Reason = o, reason
	}
}

// DuetText says how far a question to a benchmark has come.
func DuetText(bm model.Benchmark, p trial.Progress) string {
	return bm.String() + ": " + p.Text()
}
