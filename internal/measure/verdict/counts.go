package verdict

import (
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// The metrics that are counted.
const (
	Allocs = "allocs/op"
	Bytes  = "B/op"
)

// BytesShare is the relative change of B/op that counts where allocs/op stays.
const BytesShare = 0.05

// Counts reads the counts of allocs/op and B/op, in this order, from units at
// one number of iterations, base first. alpha is the error rate of each Trend;
// where nothing rests on one it is 1.
func Counts(pairs [][2]model.Sample, alpha float64) []model.Exact {
	return []model.Exact{exact(Allocs, pairs, alpha), exact(Bytes, pairs, alpha)}
}

// PerOp returns how a metric that is counted is read from a sample.
func PerOp(metric string) func(model.Sample) float64 {
	if metric == Bytes {
		return model.Sample.BytesPerOp
	}
	return model.Sample.AllocsPerOp
}

func exact(metric string, pairs [][2]model.Sample, alpha float64) model.Exact {
	e := model.Exact{Metric: metric, Noisy: true}
	if len(pairs) == 0 {
		return e
	}
	e.Benchmark = pairs[0][0].Benchmark
	of := PerOp(metric)
	var side [2][]float64
	n := pairs[0][0].N
	for _, p := range pairs {
		n = min(n, p[0].N)
		side[0] = append(side[0], of(p[0]))
		side[1] = append(side[1], of(p[1]))
	}
	e.Tolerance = Tolerance(metric, float64(n), max(side[0][0], side[1][0]))
	d, err := judge.Counts(side[0], side[1], e.Tolerance)
	if err != nil {
		return e
	}
	e.Before, e.After, e.Noisy = d.Base, d.Candidate, d.Answer == judge.Noisy
	if Apart(e) {
		e.Trend = trend(side, alpha)
	}
	return e
}

// Slope returns a count per iteration from samples of N and of about N/2
// iterations of one binary, without what either allocates once. Where the
// difference makes no sense, because the count does not grow evenly, it
// returns the plain quotient.
func Slope(metric string, full, half model.Sample, plain float64) float64 {
	of := func(s model.Sample) float64 { return float64(s.Allocs) }
	if metric == Bytes {
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

const (
	// trendUnits is how many pairs tell which way a noisy count goes, and
	// trendSame in how many of them it has to go that way: without a difference
	// that happens by chance in 6 of 1,000 (sign test, both ways).
	trendUnits, trendSame = 12, 11
	// leastTrend is the smallest difference of a noisy count that is looked at.
	leastTrend = 0.05
)

// Apart reports whether a count is noisy and its medians lie apart.
func Apart(e model.Exact) bool {
	return e.Noisy && math.Abs(e.Before-e.After) > max(e.Tolerance, leastTrend*e.Before)
}

// TrendPairs returns how many pairs it takes at least for a trend that is
// seen by chance with probability alpha: of so many, all but one go one way.
func TrendPairs(alpha float64) int {
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
// that it happens by chance with a probability of alpha at most.
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

// Tolerance is how far counts of equal work may lie apart, per op: what the
// benchmark's own frame and the runtime allocate in a slice of n iterations. A
// collection may start a worker, a timer, a finalizer goroutine: 4 objects and
// 16 KiB. A thousandth of the value covers objects of two sizes: a
// slice may hold one of them more or less.
func Tolerance(metric string, n, value float64) float64 {
	const objects, bytes = 4, 16 << 10
	if metric == Allocs {
		return max(0.005, objects/n)
	}
	return max(0.5, bytes/n, value/1000)
}

// Figures returns the medians of both arms over units, with counts in the place
// of what the samples say where they were compared exactly. Wall time is in them
// where the arms took turns: two that share a core each take as long as both.
// Times that are no finite number were not compared, and are left out.
func Figures(mode model.Mode, pairs [][2]model.Sample, counts []model.Exact) [2]model.Stats {
	var st [2]model.Stats
	for arm := range st {
		median := func(figure func(model.Sample) float64) float64 {
			var xs []float64
			for _, pair := range pairs {
				if x := figure(pair[arm]); !math.IsNaN(x) && !math.IsInf(x, 0) {
					xs = append(xs, x)
				}
			}
			return Median(xs)
		}
		st[arm] = model.Stats{
			CPUNs:  median(func(s model.Sample) float64 { return s.CPUNs }),
			Allocs: median(model.Sample.AllocsPerOp), Bytes: median(model.Sample.BytesPerOp),
		}
		if mode == model.Alternate {
			st[arm].WallNs = median(func(s model.Sample) float64 { return s.WallNs })
		}
	}
	for _, c := range counts {
		switch c.Metric {
		case Allocs:
			st[0].Allocs, st[1].Allocs = c.Before, c.After
		case Bytes:
			st[0].Bytes, st[1].Bytes = c.Before, c.After
		}
	}
	return st
}

// Median returns the median of xs, and 0 for none.
func Median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return s[m-1]/2 + s[m]/2 // the sum of two figures may be none
}
