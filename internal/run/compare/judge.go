package compare

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// linkShare is how many times as long as the duets of one link fresh links are
// expected to take: their unit is a pair of links and several duets.
const linkShare = 4

// soundUnits is how many duets a gate takes before it calls a benchmark clean.
const soundUnits = 8

// maxUnits ends the second round of a benchmark, and moreUnits times as many the
// third, however much time is left.
const (
	maxUnits  = 120
	moreUnits = 5
)

// soonest is after how many duets their noise says how long the rest will take.
const soonest = 4

// A judging puts one benchmark to the judge: it calibrates and counts, then asks
// for its time, on one link of each side and on fresh ones, and looks at the
// guards. rounds says which benchmark is next, and for how long.
type judging struct {
	*session
	trial *trial.Trial
	local *trial.Local
}

// newJudging returns a judging whose local the caller closes.
func newJudging(s *session, suite *bench.Suite) judging {
	local := trial.NewLocal(suite)
	return judging{s, trial.New(local, s.opt.Seed), local}
}

// rules are those of one benchmark, whose share of the error rate is alpha. A
// gate asks less: that nothing is slower by as much as counts.
func (j judging) rules(alpha float64) verdict.Rules {
	r := verdict.Rules{Judge: judge.RegressRules(), Level: 1 - j.opt.Alpha, OwnLayout: j.cmp.Base.Kind == model.SideBinary}
	r.Judge.Alpha, r.Judge.MinEffect, r.Judge.MaxUnits = alpha, j.opt.MinEffect, maxUnits
	if j.opt.gate() {
		r.Floor, r.AtFloor, r.MinUnits = j.opt.MinEffect, true, soundUnits
	}
	return r
}

// count calibrates a benchmark on the base, within a time, and compares its
// allocations: what rises is known to be worse, whatever is found of time.
func (j judging) count(ctx context.Context, q *contest, within time.Duration) error {
	ready, err := j.trial.Prepare(ctx, trial.Preparation{Suite: q.base.suite, Base: q.base.bin, Benchmark: q.bm, Within: within}, j.detail)
	if err != nil {
		return fmt.Errorf("on the base: %w", err)
	}
	q.c.Plan, q.c.Warnings = &ready.Plan, append(q.c.Warnings, ready.Plan.Warnings...)
	start := time.Now()
	f, err := j.trial.Count(ctx, ready.Plan, q.base.bin, q.cand.bin, 0)
	if err != nil {
		return err
	}
	for i := range f.Counts {
		if c := q.census.Counts; f.Counts[i].Noisy && c != nil && !c[i].Noisy {
			f.Counts[i] = c[i] // few iterations repeat exactly where many do not
		}
	}
	q.unit = time.Since(start) / time.Duration(max(1, len(f.Counted)))
	q.found, q.c.Plan, q.c.Counts = &f, &f.Plan, f.Counts
	st := verdict.Figures(f.Plan.Mode, f.Counted, f.Counts)
	q.c.Before, q.c.After = &st[0], &st[1]
	q.c.Warnings = append(q.c.Warnings, countWarnings(f.Counts, f.Counted)...)
	j.reported(q)
	q.read(nil)
	return nil
}

// read takes over what all that was measured of a benchmark says; a is nil where
// its time was not.
func (q *contest) read(a *trial.Answer) {
	e := verdict.Evidence{Counts: q.c.Counts, Guards: q.c.Guards, Unlike: q.unpinned, Metrics: q.metricsToRead()}
	if a != nil {
		e.Times = []verdict.Answer{a.Answer}
	}
	r := q.rules.Read(e)
	q.c.Standing, q.c.Why, q.bad = r.Standing, r.Why, r.Regressions
}

// linked reports whether what is known of a benchmark is a difference that fresh
// links have to confirm.
func (q *contest) linked() bool {
	return !q.rules.OwnLayout && q.found != nil && !q.found.Linked && verdict.NeedsLinks(q.found.Verdict) && !(q.rules.AtFloor && q.found.FloorExcluded)
}

// onLinks reports whether the next unit of a benchmark is a pair of fresh links.
func (q *contest) onLinks() bool { return q.linked() || q.found != nil && q.found.Linked }

// unlooked reports whether a benchmark is as fast as before by one link of each
// side alone, where fresh ones can be looked at.
func (q *contest) unlooked() bool {
	return q.timed && (q.c.Standing == model.Clean || q.c.Standing == model.Improved) && q.lookable() &&
		q.found.Verdict.Answer == model.NoEffect && !q.found.Linked && !q.found.Looked
}

// lookable reports whether fresh links have a say before a benchmark is called clean.
func (q *contest) lookable() bool {
	return !q.rules.AtFloor && !q.rules.OwnLayout && !q.unpinned && q.cand.pool != nil
}

// step asks a benchmark for its time, or goes on where that ended, and then for
// what it reports itself. With first, time is about one link of each side. Of one
// that waits it asks for CPU time before, for which half of the budget may go.
func (j judging) step(ctx context.Context, q *contest, budget time.Duration, first bool) error {
	if !q.timed || !first && q.unlooked() {
		if err := j.cpu(ctx, q, budget/4); err != nil || q.c.Standing == model.Regressed {
			q.over = err == nil
			return err
		}
		part := budget / time.Duration(1+q.unjudged())
		if err := j.duets(ctx, q, part, first); err != nil || !q.timed {
			return err
		}
	}
	if !spent(ctx) {
		err := j.metrics(ctx, q, budget)
		if first && q.over && q.unlooked() {
			q.over = false
			j.opt.Watch.Line(fmt.Sprintf("%s: %s by one link of each side", q.bm, q.c.Standing))
		}
		return err
	}
	if q.over = true; q.c.Standing == model.Clean || q.c.Standing == model.Improved {
		q.read(&q.found.Answer) // with what is open of the metrics
	}
	return nil
}

func (j judging) duets(ctx context.Context, q *contest, budget time.Duration, first bool) error {
	if first && q.lookable() {
		q.cand.pool.Ahead(ctx, j.opt.Seed)
	}
	left := max(j.left()-q.guardTime(j.left()), time.Millisecond) // 0 is no limit
	budget = min(budget, left)
	c := trial.Comparison{
		Question: trial.Question{
			Base: q.base.bin, Cand: q.cand.bin, Rules: q.rules, Links: q.links(q.found), Budget: budget, LinkBudget: budget,
			Deadline: time.Now().Add(left),
		},
		Known: q.found, First: first,
	}
	if !first {
		c.Rules.Judge.MaxUnits *= moreUnits
		if !q.onLinks() && !q.rules.OwnLayout {
			c.Budget, c.LinkBudget = budget/2, budget/2
		}
	}
	start := time.Now()
	f, err := j.trial.Compare(ctx, c, func(p trial.Progress) { j.detail(q.progress(p)) })
	if err = inTime(ctx, err); f.Verdict.Units == 0 && f.Screen == nil {
		return err
	}
	if err = errors.Join(err, j.keep(q, f, time.Since(start))); err != nil {
		return err
	}
	if v := q.found.Verdict; first && !j.opt.gate() {
		n := trial.Noise(q.bm, v.NoiseSD, v.Units, q.unit, q.rules.Judge, budget)
		q.c.Noise = &n
	}
	a := q.found.Answer
	if q.linked() {
		a.TakeBack("there was no time for fresh links of both sides", "a larger -budget, or fewer benchmarks by -bench")
	}
	q.c.Verdict = &a.Verdict
	q.takeMetrics()
	q.read(&a)
	done := q.found.Layout && !a.Linked || q.unpinned || !first && a.Verdict.Units >= c.Rules.Judge.MaxUnits
	if q.timed = done || q.c.Standing != model.Open; !q.timed {
		return nil
	}
	q.found.Answer = a
	return j.guards(ctx, q, &a)
}

// keep takes over what a comparison found in some time, and keeps its samples.
func (j judging) keep(q *contest, f trial.Found, took time.Duration) error {
	if f.Linked && f.Verdict.Units == 0 { // the first pair of links came too late
		f.Verdict, f.Screen, f.Linked = *f.Screen, nil, false
	}
	if n := len(f.Samples) - len(q.found.Samples); n > 0 {
		q.unit = took / time.Duration(n)
	}
	q.found = &f
	q.c.Plan, q.c.Before, q.c.After = &f.Plan, f.Before, f.After
	q.c.Screen = f.Screen
	fresh := f.Samples[min(q.saved, len(f.Samples)):]
	q.saved = len(f.Samples)
	return j.save.samples(fresh, j.cmp.Env)
}

// guardTime is what is kept for the guards of a benchmark: for a pair of slices, and
// a run of each side for its heap, on a machine that may get busier meanwhile.
func (q *contest) guardTime(left time.Duration) time.Duration { return max(4*q.unit, left/8) }

// guards looks whether a cost moved to where CPU time does not show it. A
// slowdown needs no guards. A guard may err as often as the claim that the
// benchmark is slower: with half of its alpha.
func (j judging) guards(ctx context.Context, q *contest, a *trial.Answer) error {
	if a.Verdict.Answer == model.Slower || q.c.Guards != nil {
		return nil
	}
	j.detail("wall time and peak of the heap")
	var err error
	q.c.Guards, err = j.trial.Guards(ctx, j.local, *q.c.Plan, q.base.bin, q.cand.bin, q.rules.Judge.Alpha/2, a.Samples)
	if err = inTime(ctx, err); err != nil {
		return err
	}
	q.read(a)
	if spent(ctx) && (q.c.Standing == model.Clean || q.c.Standing == model.Improved) {
		q.c.Standing, q.c.Why = model.Open, "there was no time to compare wall time and the peak of the heap: "+q.c.Why
	}
	return nil
}

// progress says how far the duets of a benchmark have come, and how much longer
// they will take by what they show.
func (q *contest) progress(p trial.Progress) string {
	d := p.Decision
	text := p.Text()
	if d.Units < soonest || p.Links || d.NoiseSD <= 0 {
		return text
	}
	more := judge.UnitsFor(d.NoiseSD, min(max(d.Estimate, -d.Estimate), 0.99), q.rules.Judge) - d.Units
	if more <= 0 {
		return text
	}
	return text + ", about " + about(time.Duration(more)*q.unit) + " more"
}

// countWarnings says where counts are less than exact.
func countWarnings(counts []model.Exact, pairs [][2]model.Sample) []model.Warning {
	var out []model.Warning
	for _, e := range counts {
		if e.Noisy {
			out = append(out, model.Warning{
				Seen:  e.Metric + " differs from run to run of one side: nothing is claimed of it",
				Cause: "a pool, a map that grows, or goroutines",
				Try:   "read it as an estimate; CPU time is judged all the same",
			})
		}
	}
	if len(pairs) > 0 && (bench.RoundedAway(pairs[0][0]) || bench.RoundedAway(pairs[0][1])) {
		out = append(out, model.Warning{
			Seen:  "0 allocs/op with B/op above zero: less than one allocation per op",
			Cause: "a binary that was built elsewhere prints whole numbers, rounded down",
			Try:   "B/op says more here; a comparison of sources counts fractions",
		})
	}
	return out
}
