package results

import (
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
	a, links := j.ask(c.Benchmark, mode, p, false), j.ask(c.Benchmark, mode, p, true)
	switch {
	case links.Verdict.Units > 0:
		if screen := a.Verdict; screen.Units > 0 {
			c.Screen = &screen
		}
		a = links
	case verdict.NeedsLinks(a.Verdict):
		a.TakeBack("the files hold one link of each side", "pawl compare REF REF links both sides anew for each unit")
	}
	c.Verdict = &a.Verdict
	c.Counts = pairedCounts(p.pairs)
	st := verdict.Figures(mode, p.pairs, c.Counts)
	c.Before, c.After = &st[0], &st[1]
	r := j.rules.Read(verdict.Evidence{Times: []verdict.Answer{a}, Counts: c.Counts})
	c.Standing, c.Why = r.Standing, r.Why
}

// ask puts the units of one stage to the judge.
func (j *judging) ask(bm model.Benchmark, mode model.Mode, p pairing, linked bool) verdict.Answer {
	s := verdict.NewSeries(j.rules)
	for _, d := range p.units(linked) {
		_ = s.Add(d) // timeOf has seen to it that every ratio is one that Add takes
	}
	a := s.Answer(bm, verdict.Metric(mode), linked)
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
