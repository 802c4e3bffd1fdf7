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
// standing; or the CPU time of one that waits.
type reported struct {
	verdict.Reported
	m     model.Reported
	found *trial.Found // nil before pairs were taken for it
	over  bool
	// cpu says that it is CPU time, beside the wall time that the standing rests on:
	// only a slowdown counts.
	cpu bool
}

// leastBusy is the CPU time of a slice, in nanoseconds, below which that of a
// benchmark that waits is not asked about: start-up and set-up would be most of it.
const leastBusy = 5e6

// reported notes what a benchmark reports itself, as its first units have it. The
// benchmark's part of the error rate is split evenly over its time and the metrics
// that have a direction, before any of them is judged.
func (j judging) reported(q *contest) {
	all := j.directions.ReportedIn(q.found.Counted)
	for _, r := range all {
		q.metrics = append(q.metrics, &reported{Reported: r})
	}
	parts := 1 + verdict.Judged(all)
	if q.waits() {
		q.metrics = append(q.metrics, &reported{Reported: verdict.Reported{Unit: verdict.Metric(model.Parallel), Better: verdict.Lower}, cpu: true})
		parts++
	}
	q.rules.Judge.Alpha /= float64(parts)
}

// waits reports whether a benchmark waits, and yet uses a processor for so long that
// its CPU time can be compared.
func (q *contest) waits() bool {
	if q.found.Plan.Mode != model.Alternate || len(q.found.Counted) == 0 {
		return false
	}
	s := q.found.Counted[0][0]
	return s.CPUNs*float64(s.N) >= leastBusy
}

// cpu asks for the CPU time of a benchmark that waits. What waiting hides in wall time
// shows there, if it takes a processor: pairs run side by side, as those of a
// benchmark that keeps all processors busy do.
func (j judging) cpu(ctx context.Context, q *contest, budget time.Duration) error {
	i := slices.IndexFunc(q.metrics, func(r *reported) bool { return r.cpu && !r.over })
	if i < 0 {
		return nil
	}
	if err := j.metric(ctx, q, q.metrics[i], budget); err != nil {
		return err
	}
	q.takeMetrics()
	if q.metrics[i].m.Standing == model.Regressed { // else what is known of wall time stands
		q.read(nil)
	}
	return nil
}

// unjudged counts the metrics that the judge will most likely be asked of: those
// that did not repeat so far.
func (q *contest) unjudged() int {
	n := 0
	for _, r := range q.metrics {
		if m, _ := r.Exactly(q.found.Samples, 1); !r.cpu && r.Better != "" && !r.over && !(m.Exact && m.Before == m.After) {
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
		if r.over || r.cpu || q.c.Standing == model.Regressed {
			continue
		}
		if err := j.metric(ctx, q, r, part); err != nil {
			return err
		}
	}
	q.takeMetrics()
	q.read(&q.found.Answer)
	q.over = q.c.Standing == model.Regressed || !slices.ContainsFunc(q.metrics, func(r *reported) bool { return !r.over && !r.cpu })
	return nil
}

// takeMetrics takes over what is known of the metrics: of those that the judge was
// not asked about, what the units of time say.
func (q *contest) takeMetrics() {
	q.c.Metrics = nil
	for _, r := range q.metrics {
		switch {
		case r.cpu && r.found == nil:
			continue
		case r.found == nil:
			r.m, r.over = r.Exactly(q.found.Samples, q.rules.Judge.Alpha)
		}
		q.c.Metrics = append(q.c.Metrics, r.m)
	}
}

// metricsToRead are those that a standing may rest on: before the time is known, and
// of CPU time at any moment, what got worse for certain.
func (q *contest) metricsToRead() (out []model.Reported) {
	for _, m := range q.c.Metrics {
		if q.timed && !cpuOf(m) || m.Standing == model.Regressed {
			out = append(out, m)
		}
	}
	return out
}

// cpuOf reports whether a metric is the CPU time of a benchmark that waits.
func cpuOf(m model.Reported) bool { return m.Unit == verdict.Metric(model.Parallel) }

// metric asks the judge about one metric, or goes on where that ended. Its units
// are pairs of slices that take turns: a figure that a benchmark takes from a clock
// says nothing while another process has the core for half of the time. Pairs that
// were run for another metric are this one's first.
func (j judging) metric(ctx context.Context, q *contest, r *reported, budget time.Duration) error {
	if r.found == nil {
		r.found = j.foundOf(q, r)
	}
	left := max(j.left(), time.Millisecond) // 0 is no limit
	budget = min(budget, left)
	c := trial.Comparison{
		Question: trial.Question{
			Base: q.base.bin, Cand: q.cand.bin, Rules: q.rules, Links: q.links(r.found), Budget: budget, LinkBudget: budget,
			Deadline: time.Now().Add(left), Metric: &r.Reported,
		},
		Known: r.found,
	}
	if r.cpu {
		c.Metric = nil
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
	if r.cpu {
		r.m = model.Reported{Unit: r.Unit, Better: string(r.Better), Before: f.Before.CPUNs, After: f.After.CPUNs}
		r.judged(q.rules, f.Answer)
		return j.save.cpu(f.Samples[min(before, len(f.Samples)):], j.cmp.Env)
	}
	if r.m, r.over = r.Exactly(unlinked(f.Samples), q.rules.Judge.Alpha); !r.over {
		r.judged(q.rules, f.Answer)
	}
	fresh := slices.Clone(f.Samples[min(before, len(f.Samples)):])
	for i := range fresh {
		fresh[i][0].Clock, fresh[i][1].Clock = model.ClockWall, model.ClockWall
	}
	return j.save.metrics(fresh, j.cmp.Env)
}

// foundOf is what is known of a metric before it is asked about: units that were run
// for another purpose, where they are of its kind.
func (j judging) foundOf(q *contest, r *reported) *trial.Found {
	f := &trial.Found{Plan: q.found.Plan, Counts: q.found.Counts}
	if f.Plan.Mode, f.Plan.Clock = model.Parallel, q.base.suite.Clock(); !r.cpu {
		f.Plan.Mode, f.Plan.Clock = model.Alternate, model.ClockWall
		f.Samples = q.turns()
	}
	return f
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
		if r.found != nil && !r.cpu {
			return unlinked(r.found.Samples)
		}
	}
	return nil
}

func unlinked(pairs [][2]model.Sample) [][2]model.Sample {
	return slices.DeleteFunc(slices.Clone(pairs), func(p [2]model.Sample) bool { return p[0].Link > 0 })
}
