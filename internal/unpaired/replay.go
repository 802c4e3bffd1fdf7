package unpaired

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// layoutReach is the relative difference below which one link of each side
// cannot stand for the sources: as in pawl's own trial.
const layoutReach = 0.35

// An answer is what the judge says of one stage of a pairing.
type answer struct {
	verdict  model.Verdict
	excluded bool // a slowdown that counts is excluded
	layout   bool // it was taken back: not separable from layout
}

// replay judges the pairs of a benchmark again.
func (j *judging) replay(c *model.Compared, p pairing) {
	clock := p.pairs[0][0].Clock
	first, links := j.ask(c.Benchmark, clock, p.units(false)), j.ask(c.Benchmark, clock, p.units(true))
	a := first
	switch {
	case links != nil && first != nil:
		c.Screen = &first.verdict
		a = links
	case links != nil:
		a = links
	default:
		first.inseparable()
	}
	c.Verdict = &a.verdict
	c.Counts = pairedCounts(c.Benchmark, p.pairs)
	c.Before, c.After = pairedStats(p.pairs, c.Counts)
	c.Standing, c.Why = j.standing(c, a, links != nil)
}

// ask puts units to the judge: one sequence that answers, at the benchmark's
// share of the error, and one whose interval is shown. It returns nil without
// units.
func (j *judging) ask(bm model.Benchmark, clock model.Clock, units []float64) *answer {
	if len(units) == 0 {
		return nil
	}
	shownRules := j.rules
	shownRules.Alpha = j.alpha
	answers, shown := judge.NewSequence(j.rules), judge.NewSequence(shownRules)
	for _, d := range units {
		// timeOf has seen to it that every ratio is one that Add takes.
		if answers.Add(d) == nil {
			_ = shown.Add(d)
		}
	}
	d, s := answers.Decision(), shown.Decision()
	lo, hi := s.Finite()
	a := &answer{
		verdict: model.Verdict{
			Benchmark: bm, Metric: "cpu/op", Answer: model.Answer(d.Answer), Change: d.Estimate, Lo: lo, Hi: hi,
			Level: shownRules.Level(), Units: d.Units, Evidence: d.E, NoiseSD: d.NoiseSD,
		},
		excluded: answers.ExcludesSlowdown(j.rules.MinEffect, j.rules.Beta),
	}
	if math.IsInf(a.verdict.Evidence, 0) {
		a.verdict.Evidence = math.MaxFloat64
	}
	if s.Drifted {
		a.warn("no single difference fits all units: it moved during the run", "a machine that throttles, or caches that warm up", "another run, on a quieter machine")
	}
	if clock == model.ClockWall {
		a.verdict.Metric = "wall/op"
		a.warn("compared by wall time, in alternating slices", "the benchmark sleeps, does I/O or runs in parallel", "read the interval, not the estimate")
	}
	if d.Answer == judge.Undecided && !a.excluded {
		cause := fmt.Sprintf("the effect is small beside the noise of %.1f %% a unit", 100*d.NoiseSD)
		switch least := j.rules.MinUnits(); {
		case d.Units < least:
			cause = fmt.Sprintf("a claim takes %d at the least, however clear they are", least)
		case a.verdict.Clear():
			cause = "the files have few results"
		}
		a.warn("not decided after "+plural(d.Units, "unit"), cause, "pawl compare with a larger -budget")
	}
	return a
}

func (a *answer) warn(seen, cause, try string) {
	a.verdict.Warnings = append(a.verdict.Warnings, model.Warning{Seen: seen, Cause: cause, Try: try})
}

// claims reports whether the verdict is about a difference.
func claims(v model.Verdict) bool { return v.Answer == model.Faster || v.Answer == model.Slower }

// inseparable takes back a claim on one link of each side that the layout could
// have made.
func (a *answer) inseparable() {
	v := &a.verdict
	if !claims(*v) || math.Abs(v.Change) >= layoutReach {
		return
	}
	a.warn(
		fmt.Sprintf("not separable from layout: these two links differ (%s by %.1f %%), but where the linker happens to put functions can do that", v.Answer, 100*math.Abs(v.Change)),
		"the files hold one link of each side", "pawl compare REF REF links both sides anew for each unit")
	v.Answer = model.Undecided
	a.layout = true
}

// standing is that of a paired benchmark.
func (j *judging) standing(c *model.Compared, a *answer, linked bool) (model.Standing, string) {
	v := a.verdict
	var bad, good []string
	fewer := false
	for _, e := range c.Counts {
		text := fmt.Sprintf("%s %s → %s", e.Metric, count(e.Before), count(e.After))
		switch {
		case e.Fell():
			good = append(good, text)
			fewer = fewer || e.Metric == allocsUnit
		case e.Rose() && (e.Metric == allocsUnit || !fewer && e.After > (1+bytesShare)*e.Before):
			bad = append(bad, text)
		}
	}
	switch {
	case v.Answer == model.Slower && v.Hi >= j.rules.MinEffect:
		bad = append(bad, fmt.Sprintf("%s slower by %s", v.Metric, size(v)))
	case v.Answer == model.Faster:
		good = append(good, fmt.Sprintf("%s faster by %s", v.Metric, size(v)))
	}
	unit := "duets"
	if linked {
		unit = "pairs of fresh links"
	}
	open := v.Answer == model.Undecided && !a.excluded
	switch {
	case len(bad) > 0:
		return model.Regressed, strings.Join(bad, "; ")
	case open:
		if a.layout {
			return model.Open, fmt.Sprintf("not separable from layout: %s %s on one link of each side", percent(v.Change), interval(v))
		}
		return model.Open, fmt.Sprintf("after %d %s %s %s is still open", v.Units, unit, percent(v.Change), interval(v))
	case len(good) > 0:
		return model.Improved, strings.Join(good, "; ")
	case v.Answer == model.Slower:
		return model.Clean, fmt.Sprintf("slower, but by less than %.1f %%: %s %s", 100*j.rules.MinEffect, percent(v.Change), interval(v))
	case v.Answer == model.NoEffect:
		return model.Clean, fmt.Sprintf("an effect of %.1f %% or more is excluded", 100*j.rules.MinEffect)
	}
	return model.Clean, fmt.Sprintf("a slowdown by %.1f %% or more is excluded", 100*j.rules.MinEffect)
}

// size is the change of a verdict without its sign, with the interval.
func size(v model.Verdict) string {
	return strings.TrimSpace(fmt.Sprintf("%.1f %% %s", 100*math.Abs(v.Change), interval(v)))
}

func interval(v model.Verdict) string {
	if v.Lo <= -1 || v.Hi >= judge.MaxHi {
		return "(no interval yet)"
	}
	return strings.ReplaceAll(fmt.Sprintf("[%+.1f, %+.1f]", 100*v.Lo, 100*v.Hi), "-", "−")
}

// pairedCounts compares the counts of samples that pawl took: with their
// fraction, and at one b.N.
func pairedCounts(bm model.Benchmark, pairs [][2]model.Sample) []model.Exact {
	var out []model.Exact
	for _, m := range []struct {
		unit string
		of   func(model.Sample) float64
	}{{allocsUnit, model.Sample.AllocsPerOp}, {bytesUnit, model.Sample.BytesPerOp}} {
		var xs [2][]float64
		n := math.Inf(1)
		for _, p := range pairs {
			for i := range p {
				xs[i] = append(xs[i], m.of(p[i]))
			}
			n = min(n, float64(p[0].N))
		}
		e := model.Exact{Benchmark: bm, Metric: m.unit, Noisy: true, Tolerance: tolerance(m.unit, n, max(xs[0][0], xs[1][0]))}
		if d, err := judge.Counts(xs[0], xs[1], e.Tolerance); err == nil {
			e.Before, e.After = d.Base, d.Candidate
			e.Noisy = d.Answer == judge.Noisy || !d.Confirmed()
		}
		out = append(out, e)
	}
	return out
}

// pairedStats are the medians of both sides.
func pairedStats(pairs [][2]model.Sample, counts []model.Exact) (before, after *model.Stats) {
	var st [2]model.Stats
	for i := range st {
		var cpu, wall []float64
		for _, p := range pairs {
			cpu, wall = appendFinite(cpu, p[i].CPUNs), appendFinite(wall, p[i].WallNs)
		}
		st[i].CPUNs, st[i].WallNs = median(cpu), median(wall)
	}
	st[0].Allocs, st[1].Allocs = counts[0].Before, counts[0].After
	st[0].Bytes, st[1].Bytes = counts[1].Before, counts[1].After
	return &st[0], &st[1]
}

// appendFinite leaves out what is no number: a time that was not compared has
// not been looked at.
func appendFinite(xs []float64, x float64) []float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return xs
	}
	return append(xs, x)
}
