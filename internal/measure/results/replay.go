package results

import (
	"math"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// replay judges the pairs of a benchmark again.
func (j *judging) replay(c *model.Compared, p pairing) {
	mode := model.Duet
	if p.pairs[0][0].Clock == model.ClockWall {
		mode = model.Alternate
	}
	all := j.units.given.ReportedIn(p.pairs)
	rules := j.rules
	rules.Judge.Alpha /= float64(1 + verdict.Judged(all))
	a := asking{rules, p, c.Benchmark, verdict.Metric(mode), func(pair [2]model.Sample) (float64, error) {
		return math.Log(timeOf(pair[1]) / timeOf(pair[0])), nil
	}}.answer(c)
	for _, r := range all {
		c.Metrics = append(c.Metrics, replayMetric(rules, p, mode, r))
	}
	c.Verdict = &a.Verdict
	c.Counts = pairedCounts(p.pairs)
	st := verdict.Figures(mode, p.pairs, c.Counts)
	c.Before, c.After = &st[0], &st[1]
	r := rules.Read(verdict.Evidence{Times: []verdict.Answer{a}, Counts: c.Counts, Metrics: c.Metrics})
	c.Standing, c.Why = r.Standing, r.Why
}

// replayMetric compares a metric that the benchmark reported. One that varies is
// judged where the arms took turns alone: a clock that was read while two processes
// shared a core says nothing.
func replayMetric(rules verdict.Rules, p pairing, mode model.Mode, r verdict.Reported) model.Reported {
	m, done := r.Exactly(p.pairs, rules.Judge.Alpha)
	if done {
		return m
	}
	if mode != model.Alternate {
		m.Why += ": two processes shared a core when it was taken"
		return m
	}
	a := asking{rules, p, p.pairs[0][0].Benchmark, r.Unit, r.LogRatio}.answer(new(model.Compared))
	if a.Verdict.Units == 0 {
		m.Why = r.Unit + " has figures that are not above zero, and so no ratio"
		return m
	}
	return rules.ReadReported(m, a)
}

// An asking puts the units of a metric to the judge.
type asking struct {
	rules    verdict.Rules
	p        pairing
	bm       model.Benchmark
	metric   string
	logRatio func([2]model.Sample) (float64, error)
}

// answer is that of fresh links, where there are more than a look at some, and what
// one link of each side said before is then c's screen.
func (q asking) answer(c *model.Compared) verdict.Answer {
	a, links := q.stage(false), q.stage(true)
	switch n := links.Verdict.Units; {
	case n == verdict.Looks && a.Verdict.Answer == model.NoEffect && a.Look(q.rules, q.p.units(true, q.logRatio), q.p.ordered()):
	case n > 0:
		if screen := a.Verdict; screen.Units > 0 {
			c.Screen = &screen
		}
		a = links
	case verdict.NeedsLinks(a.Verdict):
		a.TakeBack("the files hold one link of each side", "pawl compare REF REF links both sides anew for each unit")
	}
	return a
}

// stage puts the units of one stage to the judge.
func (q asking) stage(linked bool) verdict.Answer {
	s := verdict.NewSeries(q.rules)
	for _, d := range q.p.units(linked, q.logRatio) {
		_ = s.Add(d) // units has left out what is no ratio
	}
	a := s.Answer(q.bm, q.metric, linked)
	a.Ordered = linked && q.p.ordered()
	if w, ok := s.Open(a); ok {
		a.Verdict.Warnings = append(a.Verdict.Warnings, w)
	}
	return a
}

// pairedCounts compares the counts of samples that pawl took: with their
// fraction, and at one b.N. A difference that too few pairs show is none.
func pairedCounts(pairs [][2]model.Sample) []model.Exact {
	counts := verdict.Counts(pairs, 1)
	for i, e := range counts {
		counts[i].Noisy = e.Noisy || !e.Equal() && len(pairs) < judge.ConfirmRuns
	}
	return counts
}
