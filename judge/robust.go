package judge

import (
	"math"
	"slices"
)

// sortedMedian returns the median of an ascending, non-empty slice.
func sortedMedian(a []float64) float64 {
	n := len(a)
	if n%2 == 1 {
		return a[n/2]
	}
	return a[n/2-1] + (a[n/2]-a[n/2-1])/2
}

// madSD returns 1.4826 times the median absolute deviation from the median of
// an ascending slice: the standard deviation, if the bulk is normal, whatever
// the tails are. It is 0 for fewer than two values.
func madSD(a []float64) float64 {
	if len(a) < 2 {
		return 0
	}
	m := sortedMedian(a)
	off := make([]float64, len(a))
	for i, x := range a {
		off[i] = math.Abs(x - m)
	}
	slices.Sort(off)
	return madToSD * sortedMedian(off)
}

// pairsFrom is the number of units from which the Hodges–Lehmann estimate is
// used: with fewer it is hardly better than the median, and less robust.
const pairsFrom = 8

// location estimates the centre of an ascending, non-empty slice by the median,
// and from eight values on by the Hodges–Lehmann estimate (1963). That is the
// median of the means of all pairs, each value paired with itself too. It is
// nearly as precise as the mean under normal noise (efficiency 3/π = 95 %,
// where the median has 64 %) and still ignores wild values up to 29 % of all.
func location(a []float64) float64 {
	if len(a) < pairsFrom {
		return sortedMedian(a)
	}
	m := len(a) * (len(a) + 1) / 2
	hi := pairMean(a, m/2+1)
	if m%2 == 1 {
		return hi
	}
	lo := pairMean(a, m/2)
	return lo + (hi-lo)/2
}

// pairMean returns the k-th smallest (from 1) of the means (a[i]+a[j])/2,
// i ≤ j, of an ascending slice. It halves the range of values until two
// neighbouring floating-point numbers are left, counting at each step in one
// walk along the slice, so that the pairs need not be stored.
func pairMean(a []float64, k int) float64 {
	lo, hi := a[0], a[len(a)-1]
	if pairsUpTo(a, lo) >= k {
		return lo
	}
	for { // pairsUpTo(lo) < k ≤ pairsUpTo(hi)
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi
		}
		if pairsUpTo(a, mid) >= k {
			hi = mid
		} else {
			lo = mid
		}
	}
}

// pairsUpTo counts the pairs i ≤ j whose mean is at most v.
func pairsUpTo(a []float64, v float64) int {
	count, j := 0, len(a)-1
	for i := range a {
		for j >= i && (a[i]+a[j])/2 > v {
			j--
		}
		if j < i {
			break
		}
		count += j - i + 1
	}
	return count
}
