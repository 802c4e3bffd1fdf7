package results

import (
	"fmt"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// A counted is what two series say of a count.
type counted struct {
	model.Exact
	// doubt is why nothing is claimed though the sides differ.
	doubt string
	// note goes with a claim that rests on rounded figures.
	note string
}

// countIn compares a count. It returns false where a side has no figures in
// the unit, or some that are no counts.
func countIn(m matched, unit string) (counted, bool) {
	b, c := m.base.values(unit), m.cand.values(unit)
	if len(b) == 0 || len(c) == 0 {
		return counted{}, false
	}
	tol := 0.0
	if isCount(unit) {
		tol = tolerance(unit, min(least(m.base), least(m.cand)), max(b[0], c[0]))
	}
	d, err := judge.Counts(b, c, tol)
	if err == nil && d.Answer == judge.Equal && d.Runs >= judge.ConfirmRuns {
		// Sides that repeat better than the tolerance allows for are held to that.
		tol = max(floor(unit, max(d.Base, d.Candidate)), 2*max(width(b), width(c)))
		d, err = judge.Counts(b, c, tol)
	}
	if err != nil {
		return counted{}, false
	}
	out := counted{
		Exact: model.Exact{
			Benchmark: m.base.bm, Metric: unit, Before: d.Base, After: d.Candidate,
			Noisy: d.Answer == judge.Noisy, Tolerance: tol,
		},
	}
	switch {
	case !d.Confirmed():
		out.doubt = fmt.Sprintf("%s cannot show that it repeats; %d on each side can", words.Plural(d.Runs, "sample"), judge.ConfirmRuns)
	case d.Answer == judge.Differs && setUp(m, unit, d.Base, d.Candidate):
		out.doubt = "b.N differs, and an allocation outside the loop would look the same"
	}
	out.Noisy = out.Noisy || out.doubt != ""
	return out, true
}

// tolerance is how far counts of equal work may lie apart: what the runtime
// allocates in a slice, and the floor of figures that are printed.
func tolerance(unit string, n, value float64) float64 {
	return max(floor(unit, value), verdict.Tolerance(unit, n, value))
}

// floor is how far counts may lie apart that repeat to the last digit: a
// thousandth of the bytes, since an object may be of two sizes, and of what
// testing cuts off when it prints whole bytes.
func floor(unit string, value float64) float64 {
	switch unit {
	case allocsUnit:
		return 0.005
	case bytesUnit:
		return max(1, value/1000)
	}
	return 0
}

func width(xs []float64) float64 { return slices.Max(xs) - slices.Min(xs) }

func (s *series) whole() bool {
	return !slices.ContainsFunc(s.results, func(r result) bool { return !r.whole })
}

func least(s *series) float64 { return slices.Min(s.iterations()) }

// What is allocated once is believed to explain a difference at fewer than
// manyIterations, since above it would be more than a thousand objects, and up
// to largeSetUp bytes at any number of them.
const (
	manyIterations = 1000
	largeSetUp     = 1 << 20
)

// setUp reports whether a difference in a count could be that of b.N: x objects
// allocated once and s in each iteration are s + x/N per op. Two sides at N
// that differ always have a solution; it is believed where s and x are not
// negative, N is small, and b.N varies too little within the sides to show
// that x is not there.
func setUp(m matched, unit string, before, after float64) bool {
	nb, nc := verdict.Median(m.base.iterations()), verdict.Median(m.cand.iterations())
	if max(nb, nc) < 1.5*min(nb, nc) {
		return false
	}
	x := (before - after) / (1/nb - 1/nc)
	if s := before - x/nb; x < 0 || s < 0 || min(nb, nc) >= manyIterations && !(unit == bytesUnit && x <= largeSetUp) {
		return false
	}
	for _, s := range []*series{m.base, m.cand} {
		ns := s.iterations()
		spread := x/slices.Min(ns) - x/slices.Max(ns)
		vs := s.values(unit)
		if spread > 1+2*(slices.Max(vs)-slices.Min(vs)) {
			return false // it would have shown within the side
		}
	}
	return true
}

// counts compares allocs/op and B/op, those of them that both sides have.
//
// testing prints whole numbers and rounds down: 0 allocs/op beside some B/op is
// a fraction, and 0 → 1 may be 0.99 → 1.01. B/op has the digits that allocs/op
// lacks, so that the one is believed where the other goes with it.
func counts(m matched) []counted {
	allocs, hasAllocs := countIn(m, allocsUnit)
	bytes, hasBytes := countIn(m, bytesUnit)
	if hasAllocs && hasBytes && (allocs.Rose() || allocs.Fell()) && m.base.whole() && m.cand.whole() {
		together := allocs.Rose() && bytes.Rose() || allocs.Fell() && bytes.Fell()
		fraction := allocs.Before == 0 && bytes.Before > 0 || allocs.After == 0 && bytes.After > 0
		switch {
		case math.Abs(allocs.Before-allocs.After) > 1:
		case fraction && !together:
			allocs.doubt = fmt.Sprintf("0 allocs/op with %s B/op is a fraction that testing rounded down, and B/op does not move with it", verdict.Count(fractionBytes(allocs, bytes)))
			allocs.Noisy = true
		case fraction:
			allocs.note = "0 allocs/op beside B/op is a fraction that testing rounded down; B/op moves with it"
		case bytes.Equal():
			allocs.note = "testing rounds allocs/op down, and B/op stays: the difference may be a fraction of 1"
		}
	}
	var out []counted
	if hasAllocs {
		out = append(out, allocs)
	}
	if hasBytes {
		out = append(out, bytes)
	}
	return out
}

// fractionBytes is the B/op of the side that prints 0 allocs/op.
func fractionBytes(allocs, bytes counted) float64 {
	if allocs.Before == 0 {
		return bytes.Before
	}
	return bytes.After
}
