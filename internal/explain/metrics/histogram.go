package metrics

import (
	"math"
	"slices"
)

// mostBuckets is how many a histogram may have; those of the runtime have fewer
// than a thousand.
const mostBuckets = 20_000

// A Histogram has the form of runtime/metrics: Counts[i] is of what lies
// between Buckets[i] and Buckets[i+1].
type Histogram struct {
	Buckets []float64
	Counts  []float64
}

// valid reports whether the bounds grow and the counts are counts.
func (h Histogram) valid() bool {
	if len(h.Counts) == 0 || len(h.Buckets) != len(h.Counts)+1 || len(h.Counts) > mostBuckets {
		return false
	}
	for i, b := range h.Buckets {
		if math.IsNaN(b) || i > 0 && b <= h.Buckets[i-1] {
			return false
		}
	}
	return !slices.ContainsFunc(h.Counts, func(c float64) bool { return !(c >= 0) || math.IsInf(c, 0) })
}

func (h Histogram) total() float64 {
	sum := 0.0
	for _, c := range h.Counts {
		sum += c
	}
	return sum
}

// since returns what was added after an earlier state. It is not ok where the
// buckets are others, or a count has fallen.
func (h Histogram) since(earlier Histogram) (Histogram, bool) {
	if len(h.Buckets) != len(earlier.Buckets) {
		return Histogram{}, false
	}
	for i, b := range h.Buckets {
		if b != earlier.Buckets[i] {
			return Histogram{}, false
		}
	}
	d := Histogram{Buckets: h.Buckets, Counts: make([]float64, len(h.Counts))}
	for i, c := range h.Counts {
		if d.Counts[i] = c - earlier.Counts[i]; d.Counts[i] < 0 {
			return Histogram{}, false
		}
	}
	return d, true
}

// quantile returns the bounds of the bucket in which a quantile lies, that of
// durations, which are not below zero. It is not ok without a count.
func (h Histogram) quantile(q float64) (lo, hi float64, ok bool) {
	total := h.total()
	if total == 0 {
		return 0, 0, false
	}
	rank, sum := math.Ceil(q*total), 0.0
	for i, c := range h.Counts {
		if sum += c; c > 0 && sum >= rank {
			return max(0, h.Buckets[i]), max(0, h.Buckets[i+1]), true
		}
	}
	return 0, 0, false
}
