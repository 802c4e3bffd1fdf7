package results

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A block is what two unpaired series show: what is shown for certain, and
// what can only be told.
type block struct {
	bad, good []string
	told      []string // times and other figures that vary
	doubts    []string // of counts that differ and are not claimed
	same      []string // counts that stay
	warnings  []model.Warning
}

func (j *judging) blocksOf(c *model.Compared, m matched) {
	var b block
	for _, e := range counts(m) {
		c.Counts = append(c.Counts, e.Exact)
		b.count(e)
	}
	b.bytesAlone(c.Counts)
	for _, unit := range j.unitsOf(m) {
		j.metric(c, &b, m, unit)
	}
	c.Before, c.After = stats(m, m.base), stats(m, m.cand)
	c.Standing, c.Why = b.standing()
	c.Warnings = append(c.Warnings, b.warnings...)
	j.few.see(m)
}

// count takes in allocs/op and B/op. A rise of B/op is for bytesAlone.
func (b *block) count(e counted) {
	text := verdict.CountText(e.Exact)
	switch {
	case e.doubt != "":
		b.doubts = append(b.doubts, text+" is not claimed: "+e.doubt)
	case e.Noisy:
		b.told = append(b.told, text+" varies within a side: no claim")
	case e.Fell():
		b.good = append(b.good, text)
	case e.Rose() && e.Metric == allocsUnit:
		b.bad = append(b.bad, text)
	case !e.Rose():
		b.same = append(b.same, fmt.Sprintf("%s %s", e.Metric, verdict.Count(e.After)))
	}
	if e.note != "" {
		b.warnings = append(b.warnings, model.Warning{
			Seen: text + ": " + e.note, Try: "pawl compare REF REF measures the fraction",
		})
	}
}

// bytesAlone judges a rise of B/op: it counts where it is not the price of
// fewer allocations, and not a trifle.
func (b *block) bytesAlone(es []model.Exact) {
	fewer := slices.ContainsFunc(es, func(e model.Exact) bool { return e.Metric == allocsUnit && e.Fell() })
	for _, e := range es {
		if e.Metric != bytesUnit || !e.Rose() {
			continue
		}
		text := verdict.CountText(e)
		switch {
		case fewer:
			b.told = append(b.told, text+" with fewer allocs/op")
		case e.After > (1+verdict.BytesShare)*e.Before:
			b.bad = append(b.bad, text)
		default:
			b.told = append(b.told, fmt.Sprintf("%s, less than %.0f %%", text, 100*verdict.BytesShare))
		}
	}
}

// unitsOf lists the units beside the counts, time first. The speed of
// SetBytes is the time again, and the wall time of two processes that share a
// core says nothing.
func (j *judging) unitsOf(m matched) []string {
	var out []string
	for _, s := range j.sides {
		for _, u := range s.units {
			if !isCount(u) && !j.units.ignored(u) && !slices.Contains(out, u) && len(m.base.values(u))+len(m.cand.values(u)) > 0 {
				out = append(out, u)
			}
		}
	}
	has := func(u string) bool { return len(m.base.values(u)) > 0 && len(m.cand.values(u)) > 0 }
	out = slices.DeleteFunc(out, func(u string) bool {
		return u == speedUnit && has(wallUnit) || u == wallUnit && has(cpuUnit) && m.duets()
	})
	slices.SortStableFunc(out, func(a, b string) int { return order(a) - order(b) })
	return out
}

// duets reports whether the results are of processes that shared a core, as
// those of pawl that have CPU time and are not compared by the wall clock.
func (m matched) duets() bool {
	return len(m.base.values(cpuUnit)) > 0 && m.base.results[0].config["clock"] != string(model.ClockWall)
}

func order(unit string) int {
	switch unit {
	case cpuUnit:
		return 0
	case wallUnit:
		return 1
	}
	return 2
}

// metric takes in one unit.
func (j *judging) metric(c *model.Compared, b *block, m matched, unit string) {
	xs, ys := m.base.values(unit), m.cand.values(unit)
	for i, vs := range [][]float64{xs, ys} {
		if len(vs) == 0 {
			j.oneUnit.add(unit+j.sides[i].name, fmt.Sprintf("%s of %s is not in %s", label(unit), m.base.key.name, j.sides[i].name))
			return
		}
	}
	better := j.units.better(unit)
	if e, ok := countIn(m, unit); ok && !isTime(unit) && (better != 0 && j.units.exact(unit) || !clocked(unit) && !e.Noisy && (better != 0 || e.Equal())) {
		var one block // of this unit alone
		one.exact(e, better)
		c.Metrics = append(c.Metrics, j.reported(m, unit, one, true))
		b.bad, b.good, b.told = append(b.bad, one.bad...), append(b.good, one.good...), append(b.told, one.told...)
		b.doubts, b.same = append(b.doubts, one.doubts...), append(b.same, one.same...)
		return
	}
	text := figures(unit, xs, ys)
	if !isTime(unit) {
		c.Metrics = append(c.Metrics, j.reported(m, unit, block{told: []string{text}}, false))
	}
	switch {
	case isTime(unit):
		j.blocks++
		b.warnings = append(b.warnings, j.quality(m, unit)...)
		b.told = append(b.told, text+", unpaired: no claim")
	case better == 0:
		b.told = append(b.told, text+": direction unknown, not judged; say -metric '"+unit+":lower' or higher")
	default:
		b.told = append(b.told, text+", unpaired: no claim")
	}
}

// reported is what a unit of the benchmark's own shows.
func (j *judging) reported(m matched, unit string, b block, exact bool) model.Reported {
	out := model.Reported{Unit: unit, Before: verdict.Median(m.base.values(unit)), After: verdict.Median(m.cand.values(unit)), Exact: exact}
	switch j.units.better(unit) {
	case -1:
		out.Better = string(verdict.Lower)
	case 1:
		out.Better = string(verdict.Higher)
	}
	out.Standing, out.Why = b.standing()
	if out.Standing == model.Clean {
		out.Why = b.same[0] + " as before"
	}
	return out
}

// exact takes in a unit that the files call exact, or that repeats in them.
func (b *block) exact(e counted, better int) {
	text := fmt.Sprintf("%s %s → %s", e.Metric, show(e.Before, e.Metric), show(e.After, e.Metric))
	switch {
	case e.doubt != "":
		b.doubts = append(b.doubts, text+" is not claimed: "+e.doubt)
	case e.Noisy:
		b.told = append(b.told, text+" varies within a side: no claim")
	case e.Equal():
		b.same = append(b.same, fmt.Sprintf("%s %s", e.Metric, show(e.After, e.Metric)))
	case e.Rose() == (better > 0):
		b.good = append(b.good, text)
	default:
		b.bad = append(b.bad, text)
	}
}

// figures tells the medians of two blocks and what a rank test makes of them:
// information, no claim.
func figures(unit string, xs, ys []float64) string {
	before, after := verdict.Median(xs), verdict.Median(ys)
	if slices.Min(xs) == slices.Max(xs) && slices.Min(ys) == slices.Max(ys) && before == after {
		return fmt.Sprintf("%s stays %s", label(unit), show(before, unit))
	}
	var in []string
	if before > 0 {
		in = append(in, words.Signed(after/before-1))
	}
	n := fmt.Sprintf("n=%d+%d", len(xs), len(ys))
	if smallestP(len(xs), len(ys)) > testLevel {
		in = append(in, "no test possible at "+n)
	} else {
		in = append(in, fmt.Sprintf("p=%.3f %s", mannWhitney(xs, ys), n))
		if d := sees(xs, ys); isTime(unit) && d >= poorSight {
			in = append(in, fmt.Sprintf("with this spread that sees %.0f %% at best", 100*d))
		}
	}
	return fmt.Sprintf("%s %s → %s (%s)", label(unit), show(before, unit), show(after, unit), strings.Join(in, ", "))
}

// mannWhitney returns the two-sided p of benchmath, which is that of benchstat.
func mannWhitney(xs, ys []float64) float64 {
	t := benchmath.DefaultThresholds
	p := benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(xs), &t), benchmath.NewSample(slices.Clone(ys), &t)).P
	if math.IsNaN(p) { // all values of two large samples are equal
		return 1
	}
	return min(1, max(0, p))
}

func (b block) standing() (model.Standing, string) {
	rest := slices.Concat(b.told, b.doubts)
	why := func(first []string) string { return strings.Join(slices.Concat(first, rest), "; ") }
	switch {
	case len(b.bad) > 0:
		return model.Regressed, why(slices.Concat(b.bad, b.good))
	case len(b.good) > 0:
		return model.Improved, why(b.good)
	case len(rest) > 0:
		return model.Open, why(nil)
	case len(b.same) > 0:
		return model.Clean, strings.Join(b.same, ", ") + " as before; the files have no times"
	}
	return model.Open, "the files have no figure in the same unit"
}

// stats are the medians of a series.
func stats(m matched, s *series) *model.Stats {
	st := &model.Stats{CPUNs: 1e9 * verdict.Median(s.values(cpuUnit)), Allocs: verdict.Median(s.values(allocsUnit)), Bytes: verdict.Median(s.values(bytesUnit))}
	if !m.duets() {
		st.WallNs = 1e9 * verdict.Median(s.values(wallUnit))
	}
	return st
}
