package compare

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// A reported is a metric that the benchmark of a contest reports, on its way to a
// standing.
type reported struct {
	verdict.Reported
	m     model.Reported
	found *trial.Found // nil before pairs were taken for it
	over  bool
}

// reported notes what a benchmark reports itself, as its first units have it. The
// benchmark's part of the error rate is split evenly over its time and the metrics
// that have a direction, before any of them is judged.
func (j judging) reported(q *contest) {
	all := j.directions.ReportedIn(q.found.Counted)
	q.rules.Judge.Alpha /= float64(1 + verdict.Judged(all))
	for _, r := range all {
		q.metrics = append(q.metrics, &reported{Reported: r})
	}
}

// unjudged counts the metrics that the judge will most likely be asked of: those
// that did not repeat so far.
func (q *contest) unjudged() int {
	n := 0
	for _, r := range q.metrics {
		if m, _ := r.Exactly(q.found.Samples, 1); r.Better != "" && !r.over && !(m.Exact && m.Before == m.After) {
			n++
		}
	}
	return n
}

// metrics asks for the metrics of a benchmark whose time is known: exactly for those
// that repeat, and of the judge for the others.
func (j judging) metrics(ctx context.Context, q *contest, budget time.Duration) error {
	part := budget / time.Duration(max(1, q.unjudged()))
	for _, r := range q.metrics {
		if r.over || q.c.Standing == model.Regressed {
			continue
		}
		if err := j.metric(ctx, q, r, part); err != nil {
			return err
		}
	}
	q.takeMetrics()
	q.read(&q.found.Answer)
	q.over = q.c.Standing == model.Regressed || !slices.ContainsFunc(q.metrics, func(r *reported) bool { return !r.over })
	return nil
}

// takeMetrics takes over what is known of the metrics: of those that the judge was
// not asked about, what the units of time say.
func (q *contest) takeMetrics() {
	q.c.Metrics = nil
	for _, r := range q.metrics {
		if r.found == nil {
			r.m, r.over = r.Exactly(q.found.Samples, q.rules.Judge.Alpha)
		}
		q.c.Metrics = append(q.c.Metrics, r.m)
	}
}

// metricsToRead are those that a standing may rest on: before the time is known, the
// ones that got worse for certain.
func (q *contest) metricsToRead() []model.Reported {
	if q.timed {
		return q.c.Metrics
	}
	return slices.DeleteFunc(slices.Clone(q.c.Metrics), func(m model.Reported) bool { return m.Standing != model.Regressed })
}

// metric asks the judge about one metric, or goes on where that ended. Its units
// are pairs of slices that take turns: a figure that a benchmark takes from a clock
// says nothing while another process has the core for half of the time. Pairs that
// were run for another metric are this one's first.
func (j judging) metric(ctx context.Context, q *contest, r *reported, budget time.Duration) error {
	if r.found == nil {
		plan := q.found.Plan
		plan.Mode, plan.Clock = model.Alternate, model.ClockWall
		r.found = &trial.Found{Plan: plan, Counts: q.found.Counts, Answer: trial.Answer{Samples: q.turns()}}
	}
	left := max(j.left(), time.Millisecond) // 0 is no limit
	budget = min(budget, left)
	c := trial.Comparison{
		Question: trial.Question{
			Base: q.base.bin, Cand: q.cand.bin, Rules: q.rules, Links: q.links(), Budget: budget, LinkBudget: budget,
			Deadline: time.Now().Add(left), Metric: &r.Reported,
		},
		Known: r.found,
	}
	before := len(r.found.Samples)
	f, err := j.trial.Compare(ctx, c, func(p trial.Progress) { j.detail(r.Unit + ": " + p.Text()) })
	var none *verdict.NoRatio
	if errors.As(err, &none) {
		r.m.Why, r.over = none.Error(), true
		return nil
	}
	if err = inTime(ctx, err); err != nil || f.Verdict.Units == 0 && f.Screen == nil {
		return err
	}
	if f.Linked && f.Verdict.Units == 0 { // the first pair of links came too late
		f.Verdict, f.Screen, f.Linked = *f.Screen, nil, false
	}
	r.found = &f
	if r.m, r.over = r.Exactly(unlinked(f.Samples), q.rules.Judge.Alpha); !r.over {
		r.judged(q.rules, f.Answer)
	}
	fresh := slices.Clone(f.Samples[min(before, len(f.Samples)):])
	for i := range fresh {
		fresh[i][0].Clock, fresh[i][1].Clock = model.ClockWall, model.ClockWall
	}
	return j.save.metrics(fresh, j.cmp.Env)
}

// judged takes over an answer of the judge. What one link of each side shows may be
// its layout, unless no other link could be had.
func (r *reported) judged(rules verdict.Rules, a trial.Answer) {
	if !rules.OwnLayout && !a.Linked && verdict.NeedsLinks(a.Verdict) && !(rules.AtFloor && a.FloorExcluded) {
		a.TakeBack("there was no time for fresh links of both sides", "")
	}
	r.m = rules.ReadReported(r.m, a.Answer)
	r.over = r.m.Standing != model.Open || a.Verdict.Units >= rules.Judge.MaxUnits || a.Layout && !a.Linked
}

// turns are the pairs that took turns so far, on the builds' own links.
func (q *contest) turns() [][2]model.Sample {
	if q.found.Plan.Mode == model.Alternate {
		return unlinked(q.found.Samples)
	}
	for _, r := range q.metrics {
		if r.found != nil {
			return unlinked(r.found.Samples)
		}
	}
	return nil
}

func unlinked(pairs [][2]model.Sample) [][2]model.Sample {
	return slices.DeleteFunc(slices.Clone(pairs), func(p [2]model.Sample) bool { return p[0].Link > 0 })
}
