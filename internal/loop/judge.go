package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/judge"
)

// judge asks the trial about the change and decides. Where several benchmarks
// judge it, any of them may show a gain, so each has a part of the error rate.
func (s *Session) judge(ctx context.Context, t *tried, number int) error {
	p, ok := s.primary(t.Change)
	plans := []model.Plan{p}
	if !ok {
		plans = s.judged
	}
	rules := s.rules(number)
	rules.Alpha /= float64(max(1, len(plans)))
	for _, p := range plans {
		counts, prior := t.Counts, t.counted
		if !ok { // a patch, whose counts nobody has looked at yet
			var err error
			counts, prior, err = s.trial.Counts(ctx, p, s.now.bins[p.Benchmark.Pkg], t.next.bins[p.Benchmark.Pkg], rules.Alpha/countMetrics)
			if err != nil {
				_, err = s.candidateFailed(ctx, t, err)
				return err
			}
		}
		a, err := s.ask(ctx, t, p, rules, prior, allocationWin(counts))
		if err != nil {
			_, err = s.candidateFailed(ctx, t, err)
			return err
		}
		t.Verdicts = append(t.Verdicts, a.Verdict)
		if !ok {
			t.Counts = append(t.Counts, counts...)
		}
		t.combine(a, counts, len(plans))
	}
	if t.Outcome != model.Kept {
		return nil
	}
	if !ok {
		if err := s.guardHeap(ctx, t, plans, rules.Alpha); err != nil || t.Outcome != model.Kept {
			return err
		}
	}
	return s.guardBenchmarks(ctx, t, plans, number)
}

// guardHeap looks whether time was bought with memory: the peak of the live
// heap in each benchmark that judged the change. It is for patches: what pawl's
// own changes keep is bounded by their obligations, and shown at the end. alpha
// is the error rate that it may have in each of them.
func (s *Session) guardHeap(ctx context.Context, t *tried, plans []model.Plan, alpha float64) error {
	for _, p := range plans {
		bm := p.Benchmark
		g, err := s.trial.HeapGuard(ctx, s.local, p, s.now.bins[bm.Pkg], t.next.bins[bm.Pkg], alpha)
		if err != nil {
			_, err = s.candidateFailed(ctx, t, err)
			return err
		}
		t.Guards = append(t.Guards, g)
		if g.Tripped {
			t.Outcome = model.RolledBack
			t.Reason = "its cost moved to memory: " + bm.String() + ": " + g.Detail
			return nil
		}
	}
	return nil
}

// combine takes in what was measured in one benchmark. A patch is judged by
// several: one of them must gain, and none may lose, be it time or objects.
func (t *tried) combine(a trial.Answer, counts []model.Exact, of int) {
	o, reason := decide(a, counts)
	if of == 1 {
		t.Outcome, t.Reason = o, reason
		return
	}
	reason = a.Verdict.Benchmark.String() + ": " + reason
	switch {
	case t.vetoed:
	case a.Verdict.Answer == model.Slower, rose(counts, "allocs/op"):
		t.Outcome, t.Reason, t.vetoed = model.RolledBack, reason, true
	case o == model.Kept && t.Outcome == model.Kept:
		t.Reason += "; " + reason
	case o == model.Kept, t.Reason == "":
		t.Outcome, t.Reason = o, reason
	}
}

// countMetrics is how many counts a benchmark has that an outcome may rest on:
// each has a part of the error rate.
const countMetrics = 2

// soundUnits is how many duets an allocation win takes at the least: with fewer
// the interval that is shown has no ends.
const soundUnits = 8

// linkShare is how much longer than the duets of one link the fresh links of a
// small difference may take.
const linkShare = 3

// ask puts one question to the trial and keeps its samples.
// Of a change that saves allocations it asks less: that it costs no time.
func (s *Session) ask(ctx context.Context, t *tried, p model.Plan, r judge.Rules, prior [][2]model.Sample, win bool) (trial.Answer, error) {
	bm := p.Benchmark
	p, prior = trial.Fit(p, prior)
	q := trial.Question{
		Plan: p, Base: s.now.bins[bm.Pkg], Cand: t.next.bins[bm.Pkg], Rules: r,
		Floor: trial.LayoutFloor, AtFloor: true, MinUnits: soundUnits, Level: 1 - s.opt.Alpha, Prior: prior,
		Budget: min(s.opt.PerChange, max(s.left(), time.Second)),
	}
	if !win {
		q.Floor, q.AtFloor, q.MinUnits = 0, false, 0
	}
	if base, cand := s.now.linkers[bm.Pkg], t.next.linkers[bm.Pkg]; base != nil && cand != nil {
		q.Links, q.LinkBudget = trial.LinkPair{Base: base, Cand: cand}, linkShare*q.Budget
	}
	a, err := s.trial.Judge(ctx, q, func(pr trial.Progress) { s.detail(duetText(bm, pr)) })
	return a, errors.Join(err, s.saveSamples(bm, t.Change.ID, a.Samples))
}

func duetText(bm model.Benchmark, p trial.Progress) string {
	d := p.Decision
	unit := "duets"
	if p.Links {
		unit = "pairs of fresh links"
	}
	text := fmt.Sprintf("%s: %d %s", bm, p.Units, unit)
	if d.Units >= 4 {
		text += fmt.Sprintf(", %+.1f %% [%+.1f, %+.1f]", 100*d.Estimate, 100*max(d.Lo, -1), 100*min(d.Hi, 9.99))
	}
	return text
}
