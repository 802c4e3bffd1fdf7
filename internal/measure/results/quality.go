package results

import (
	"fmt"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// testLevel is the p that people read as significant, and power the share of
// differences that a test is expected to find.
const (
	testLevel = 0.05
	zLevel    = 1.959964 // two-sided
	zPower    = 1.281552 // 90 %
)

// What is worth a warning.
const (
	fewSamples  = 10   // what benchstat asks for
	driftLevel  = 0.01 // p of drift and trend
	driftLeast  = 0.01 // the smallest drift, relative
	manyForTest = 8    // the fewest samples in which drift or two modes can be seen
	poorSight   = 0.05 // the smallest visible effect that is told
	modesApart  = 1.5  // gap between two modes over the width of either
	otherLength = 1.8  // ratio of the lengths of runs
	noWork      = 5e-10
)

// quality looks for what weakens the times of two blocks.
func (j *judging) quality(m matched, unit string) []model.Warning {
	var out []model.Warning
	for i, s := range j.sides {
		vs := m.of(i).values(unit)
		out = append(out, drift(vs, s.name)...)
		out = append(out, modes(vs, s.name)...)
	}
	j.lengths(m, unit)
	xs, ys := m.base.values(unit), m.cand.values(unit)
	if x := min(verdict.Median(xs), verdict.Median(ys)); x < noWork {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("%s an iteration: a few instructions at the most", duration(x)),
			Cause: "the compiler removed the work, since nobody uses its result",
			Try:   "for b.Loop() { … }, or keep the result in a package variable",
		})
	}
	return out
}

// drift compares the two halves of a block, and looks for a trend over it.
func drift(vs []float64, where string) []model.Warning {
	if len(vs) < manyForTest {
		return nil
	}
	first, second := vs[:len(vs)/2], vs[len(vs)/2:]
	change := verdict.Median(second)/verdict.Median(first) - 1
	if math.Abs(change) < driftLeast || mannWhitney(first, second) > driftLevel && trend(vs) > driftLevel {
		return nil
	}
	return []model.Warning{{
		Seen:  fmt.Sprintf("the runs in %s drift: the second half takes %s against the first", where, words.Signed(change)),
		Cause: "a processor that heats up, or another program that started or ended meanwhile",
		Try:   "do not read a difference of that size as the code's",
	}}
}

// trend returns the two-sided p of Spearman's rank correlation of values with
// their order, from the normal approximation ρ·√(n−1).
func trend(vs []float64) float64 {
	n := len(vs)
	r := ranks(vs)
	mean := float64(n+1) / 2
	var xy, xx, yy float64
	for i := range vs {
		x, y := float64(i+1)-mean, r[i]-mean
		xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
	}
	if xx == 0 || yy == 0 {
		return 1
	}
	z := math.Abs(xy) / math.Sqrt(xx*yy) * math.Sqrt(float64(n-1))
	return math.Erfc(z / math.Sqrt2)
}

// ranks returns the rank of each value, from 1; equal ones share theirs.
func ranks(vs []float64) []float64 {
	at := make([]int, len(vs))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int {
		switch {
		case vs[a] < vs[b]:
			return -1
		case vs[a] > vs[b]:
			return 1
		}
		return a - b
	})
	out := make([]float64, len(vs))
	for i := 0; i < len(at); {
		k := i
		for k < len(at) && vs[at[k]] == vs[at[i]] {
			k++
		}
		for _, p := range at[i:k] {
			out[p] = float64(i+1+k) / 2
		}
		i = k
	}
	return out
}

// modes reports two groups of values with a gap between them that is half as
// wide again as either group: each at least a quarter of the samples and three,
// and the gap at least 2 %. Plain noise looks so in one or two of a hundred
// blocks.
func modes(vs []float64, where string) []model.Warning {
	n := len(vs)
	if n < manyForTest {
		return nil
	}
	s := slices.Sorted(slices.Values(vs))
	least := max(3, (n+3)/4)
	for i := least; i <= n-least; i++ {
		gap := s[i] - s[i-1]
		if gap > modesApart*max(s[i-1]-s[0], s[n-1]-s[i]) && gap > 0.02*s[i-1] {
			return []model.Warning{{
				Seen: fmt.Sprintf("the runs in %s have two modes: %d of %d at %s, the others at %s", where,
					i, n, duration(verdict.Median(s[:i])), duration(verdict.Median(s[i:]))),
				Cause: "the processor's clock, a neighbour that comes and goes, or memory that is placed differently in each process",
				Try:   "do not compare medians of such runs: they jump from one mode to the other",
			}}
		}
	}
	return nil
}

// sees returns the smallest relative difference that a Mann-Whitney test at 5 %
// finds in nine of ten comparisons, if the two blocks differed by nothing else:
//
//	(z₀.₉₇₅ + z₀.₉) · √(π/3 · (s₁²/n₁ + s₂²/n₂))
//
// which is the normal approximation of the test's power; π/3 is one over its
// efficiency beside the t test. At n=10 the exact test, whose p moves in steps,
// finds 84 % of them, hence “at best”. s are robust standard deviations (1.4826 times
// the median absolute deviation) over the base's median.
func sees(xs, ys []float64) float64 {
	m := verdict.Median(xs)
	if m <= 0 || len(ys) == 0 {
		return 0
	}
	sx, sy := spread(xs)/m, spread(ys)/m
	return (zLevel + zPower) * math.Sqrt(math.Pi/3*(sx*sx/float64(len(xs))+sy*sy/float64(len(ys))))
}

func spread(vs []float64) float64 {
	m := verdict.Median(vs)
	off := make([]float64, len(vs))
	for i, v := range vs {
		off[i] = math.Abs(v - m)
	}
	return 1.4826 * verdict.Median(off)
}

// smallestP returns the p of the clearest outcome that a two-sided rank test of
// so many samples can have: 2 of all C(n+m, n) orders.
func smallestP(n, m int) float64 {
	p := 2.0
	for i := 1; i <= n && p > 1e-9; i++ {
		p *= float64(i) / float64(m+i)
	}
	return min(1, p)
}

// lengths notes where the runs of one side are much longer than the other's.
func (j *judging) lengths(m matched, unit string) {
	var length, n [2]float64
	for i := range length {
		n[i] = verdict.Median(m.of(i).iterations())
		length[i] = n[i] * verdict.Median(m.of(i).values(unit))
	}
	apart := func(x [2]float64) bool { return max(x[0], x[1]) >= otherLength*min(x[0], x[1]) }
	if !apart(length) || !apart(n) { // at the same b.N it is the time itself
		return
	}
	j.lengthy.add("", fmt.Sprintf("a run of %s takes %s in %s (b.N %.0f) and %s in %s (b.N %.0f)", m.base.bm,
		duration(length[0]), j.sides[0].name, n[0], duration(length[1]), j.sides[1].name, n[1]))
}

// A few counts benchmarks with few samples.
type few struct {
	all, below, untested int
	least                int
}

func (f *few) see(m matched) {
	f.all++
	n, k := len(m.base.results), len(m.cand.results)
	if min(n, k) >= fewSamples {
		return
	}
	if f.below++; f.below == 1 || min(n, k) < f.least {
		f.least = min(n, k)
	}
	if smallestP(n, k) > testLevel {
		f.untested++
	}
}

func (f *few) warnings() []model.Warning {
	if f.below == 0 {
		return nil
	}
	w := model.Warning{
		Seen:  fmt.Sprintf("%d of %d benchmarks have fewer than %d samples on a side, the least %d", f.below, f.all, fewSamples, f.least),
		Cause: "a small -count",
		Try:   fmt.Sprintf("go test -count=%d", fewSamples),
	}
	if f.untested > 0 {
		w.Seen += fmt.Sprintf("; for %d of them no rank test can be significant, however far apart the sides are", f.untested)
	}
	return []model.Warning{w}
}
