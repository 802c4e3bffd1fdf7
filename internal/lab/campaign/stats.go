package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// binomialCDF returns the probability of at most k successes in n trials.
func binomialCDF(k, n int, p float64) float64 {
	if k < 0 {
		return 0
	}
	if k >= n || p <= 0 {
		return 1
	}
	if p >= 1 {
		return 0
	}
	var sum float64
	for i := range k + 1 {
		sum += math.Exp(logChoose(n, i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return min(1, sum)
}

func logChoose(n, k int) float64 {
	lg := func(x int) float64 { y, _ := math.Lgamma(float64(x) + 1); return y }
	return lg(n) - lg(k) - lg(n-k)
}

// exactInterval returns the 95 % interval of a share after Clopper and Pearson
// (1934): exact, and therefore somewhat wide.
func exactInterval(k, n int) (lo, hi float64) {
	if n == 0 {
		return 0, 1
	}
	lo, hi = 0, 1
	if k > 0 {
		lo = bisect(func(p float64) bool { return 1-binomialCDF(k-1, n, p) < 0.025 })
	}
	if k < n {
		hi = bisect(func(p float64) bool { return binomialCDF(k, n, p) > 0.025 })
	}
	return lo, hi
}

// bisect returns where in (0, 1) below stops being true.
func bisect(below func(float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		if mid := (lo + hi) / 2; below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// bound returns the largest number of wrong claims in n comparisons that a tool
// with the error rate p still makes in 95 campaigns of 100. More of them refute
// the rate.
func bound(n int, p float64) int {
	k := 0
	for binomialCDF(k, n, p) < 0.95 {
		k++
	}
	return k
}

// A count is k of n.
type count struct{ k, n int }

func (c *count) add(hit bool) {
	c.n++
	if hit {
		c.k++
	}
}

// String prints a count with its share and interval.
func (c count) String() string {
	if c.n == 0 {
		return "–"
	}
	lo, hi := exactInterval(c.k, c.n)
	return fmt.Sprintf("%d/%d = %.0f %% [%.0f, %.0f]", c.k, c.n, 100*float64(c.k)/float64(c.n), 100*lo, 100*hi)
}

func median(xs []float64) float64 { return quantile(xs, 0.5) }

func quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	at := q * float64(len(s)-1)
	i := int(at)
	if i+1 >= len(s) {
		return s[len(s)-1]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

// trimmed is the mean without the fifth at either end: it is little moved by
// spikes, and needs fewer units than a median.
func trimmed(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	cut := len(s) / 5
	s = s[cut : len(s)-cut]
	var sum float64
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}

// blockInterval is the 95 % bootstrap interval of trimmed over blocks of
// consecutive units, because units that share a core and a copy of the file
// share luck.
func blockInterval(xs []float64, block int, rng *rand.Rand) (lo, hi float64) {
	blocks := slices.Collect(slices.Chunk(xs, block))
	means := make([]float64, 2000)
	for i := range means {
		var draw []float64
		for range blocks {
			draw = append(draw, blocks[rng.IntN(len(blocks))]...)
		}
		means[i] = trimmed(draw)
	}
	return quantile(means, 0.025), quantile(means, 0.975)
}

func round(x float64, digits int) float64 {
	f := math.Pow10(digits)
	return math.Round(x*f) / f
}
