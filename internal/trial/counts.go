package trial

import (
	"context"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// Counts compares allocs/op and B/op. At the same number of iterations they
// repeat exactly, so that one unit suffices where nothing differs; where
// something does, two further units must say the same on both sides, or the
// count is noisy (pools, maps and goroutines make it so). Of one whose medians
// lie apart more units are run, for its Trend: as many as it takes for one to be
// seen by chance with a probability of alpha at the most, both ways, and for 1
// the least that says anything. A last unit of half the iterations then takes
// off what does not grow with them, such as a buffer that is made once: see
// Slope. Counts that are equal do without it where allocs/op is a whole number.
func (t *Trial) Counts(ctx context.Context, p model.Plan, base, cand *bench.Binary, alpha float64) ([]model.Exact, [][2]model.Sample, error) {
	var pairs [][2]model.Sample
	for i := range 3 {
		pair, err := t.run(ctx, p, base, cand, Unit{Index: i, Fresh: i == 0})
		if err != nil {
			return nil, pairs, err
		}
		pairs = append(pairs, pair)
		first := Compare(pairs)
		if i == 0 && first[0].Equal() && first[1].Equal() {
			if whole(first[0]) {
				return first, pairs, nil
			}
			break // what a slice allocates once may be in it
		}
	}
	counts := Compare(pairs)
	for units := trendPairs(alpha); len(pairs) < units && slices.ContainsFunc(counts, apart); {
		pair, err := t.run(ctx, p, base, cand, Unit{Index: len(pairs)})
		if err != nil {
			return nil, pairs, err
		}
		pairs = append(pairs, pair)
		counts = compareAt(alpha, pairs)
	}
	half, err := t.half(ctx, p, base, cand)
	if err != nil {
		return nil, pairs, err
	}
	for i := range counts {
		counts[i] = withoutOnce(counts[i], pairs[len(pairs)-1], half)
	}
	return counts, pairs, nil
}

// whole reports whether a count per op is a whole number on both sides: then
// nothing that is allocated once is in it that counts.
func whole(e model.Exact) bool {
	return math.Abs(e.Before-math.Round(e.Before)) <= e.Tolerance && math.Abs(e.After-math.Round(e.After)) <= e.Tolerance
}

// withoutOnce takes off a count what does not grow with the iterations. One that
// is equal stays so: what the runtime allocates weighs twice as much in the
// difference of two slices, and the tolerance is for one.
func withoutOnce(e model.Exact, full, half [2]model.Sample) model.Exact {
	if e.Noisy {
		return e
	}
	before, after := Slope(e.Metric, full[0], half[0], e.Before), Slope(e.Metric, full[1], half[1], e.After)
	if e.Equal() {
		after = max(0, before+(e.After-e.Before))
	}
	e.Before, e.After = before, after
	return e
}

// half runs a unit of half the iterations.
func (t *Trial) half(ctx context.Context, p model.Plan, base, cand *bench.Binary) ([2]model.Sample, error) {
	p.N = max(2, p.N/2)
	return t.run(ctx, p, base, cand, Unit{})
}

// Slope returns a count per iteration from samples of N and of about N/2
// iterations of one binary, without what either allocates once. Where the
// difference makes no sense, because the count does not grow evenly, it
// returns the plain quotient.
func Slope(metric string, full, half model.Sample, plain float64) float64 {
	of := func(s model.Sample) float64 { return float64(s.Allocs) }
	if metric == "B/op" {
		of = func(s model.Sample) float64 { return float64(s.Bytes) }
	}
	if full.N <= half.N || of(full) < of(half) {
		return plain
	}
	slope := (of(full) - of(half)) / float64(full.N-half.N)
	if slope > plain { // growth that is not even: a map, a slice
		return plain
	}
	return slope
}

// Compare reads the counts of allocs/op and B/op, in this order, from units
// that have been run.
func Compare(pairs [][2]model.Sample) []model.Exact { return compareAt(1, pairs) }

// compareAt is Compare with an error rate for each Trend.
func compareAt(alpha float64, pairs [][2]model.Sample) []model.Exact {
	allocs := func(s model.Sample) float64 { return s.AllocsPerOp() }
	bytes := func(s model.Sample) float64 { return s.BytesPerOp() }
	return []model.Exact{exact("allocs/op", pairs, allocs, alpha), exact("B/op", pairs, bytes, alpha)}
}

func exact(metric string, pairs [][2]model.Sample, of func(model.Sample) float64, alpha float64) model.Exact {
	e := model.Exact{Metric: metric, Noisy: true}
	if len(pairs) == 0 {
		return e
	}
	e.Benchmark = pairs[0][0].Benchmark
	var side [2][]float64
	for _, p := range pairs {
		side[0] = append(side[0], of(p[0]))
		side[1] = append(side[1], of(p[1]))
	}
	e.Tolerance = tolerance(metric, pairs[0][0].N, max(side[0][0], side[1][0]))
	d, err := judge.Counts(side[0], side[1], e.Tolerance)
	if err != nil {
		return e
	}
	e.Before, e.After, e.Noisy = d.Base, d.Candidate, d.Answer == judge.Noisy
	if apart(e) {
		e.Trend = trend(side, alpha)
	}
	return e
}

const (
	// trendUnits is how many pairs tell which way a noisy count goes, and
	// trendSame in how many of them it has to go that way: without a difference
	// that happens by chance in 6 of 1,000 (sign test, both ways).
	trendUnits, trendSame = 12, 11
	// leastTrend is the smallest difference of a noisy count that is looked at.
	leastTrend = 0.05
)

// apart reports whether a count is noisy and its medians lie apart.
func apart(e model.Exact) bool {
	return e.Noisy && math.Abs(e.Before-e.After) > max(e.Tolerance, leastTrend*e.Before)
}

// trendPairs returns how many pairs it takes at the least for a trend that is
// seen by chance with probability alpha: of so many, all but one go one way.
func trendPairs(alpha float64) int {
	n := trendUnits
	for byChance(n, n-1) > alpha {
		n++
	}
	return n
}

// byChance returns the probability that at least same of n fair coins fall on
// one side, whichever it is (sign test); same is more than half of n.
func byChance(n, same int) float64 {
	p, tail := math.Exp2(float64(1-n)), 0.0 // of all n, either way
	for k := n; k >= same; k-- {
		tail += p
		p *= float64(k) / float64(n-k+1)
	}
	return tail
}

// trend returns which way the counts of two sides go in nearly all pairs: so many
// that it happens by chance with a probability of alpha at the most.
func trend(side [2][]float64, alpha float64) int {
	lower, higher := 0, 0
	for i, x := range side[0] {
		switch y := side[1][i]; {
		case y < x:
			lower++
		case y > x:
			higher++
		}
	}
	n := len(side[0])
	same := n - n/trendUnits*(trendUnits-trendSame) // as strict with more pairs
	switch {
	case n < trendUnits, byChance(n, max(lower, higher, same)) > alpha:
		return 0
	case lower >= same:
		return -1
	case higher >= same:
		return 1
	}
	return 0
}

// tolerance is how far counts of equal work may lie apart: the benchmark's own
// frame, and what the runtime allocates in a slice (a collection may start a
// worker, a timer, a finalizer goroutine), spread over the iterations. A
// thousandth of the value covers objects of two sizes that a slice may hold
// one more or one less of.
func tolerance(metric string, n int64, value float64) float64 {
	const objects, bytes = 4, 16 << 10
	if metric == "allocs/op" {
		return max(0.005, objects/float64(n))
	}
	return max(0.5, bytes/float64(n), value/1000)
}
