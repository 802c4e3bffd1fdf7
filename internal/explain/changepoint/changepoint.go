// Package changepoint finds where the level of a series of figures changed.
//
// The method is E-divisive: Matteson and James, “A Nonparametric Approach for
// Multiple Change Point Analysis of Multivariate Data”, JASA 2014. MongoDB uses it
// for its benchmarks: Daly and others, “The Use of Change Point Detection to Identify
// Software Performance Regressions in a Continuous Integration System”, ICPE 2020.
//
// A series is cut where the distances of values across the cut are
// largest beside those on either side of it: their energy statistic, with the
// exponent 1. A cut stays when few random orders of the values between the cuts so
// far have one as large; then the next is looked for.
//
// The method knows no distribution, and asks one thing: that without a change every
// order of the values is as likely. A machine that drifts breaks that. So a shift is
// a question for a measurement in pairs, and no proof.
package changepoint

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pawl-dev/pawl/internal/sorted"
)

// Finest is the lowest rate of false alarms that can be asked for: one of as many
// orders as are tried, the series' own among them.
const Finest = 1.0 / orders

// orders is how many orders of the values a cut is tested with.
const orders = 1000

// shortest is how many values there are on either side of a cut, at least. One slow
// run is no level.
const shortest = 3

// Least is how many values a series has at least that can have a shift.
const Least = 2 * shortest

// A Shift is a place where the level changed.
type Shift struct {
	At int     // index of the first value behind it
	P  float64 // how often values without a change have such a cut
}

// Find returns the shifts of a series in their order. Of series without a change
// at most a part of rate have one. The values are finite; coin deals their orders.
func Find(values []float64, rate float64, coin *rand.Rand) []Shift {
	s := newSeries(values)
	var found []Shift
	for {
		at, size := s.cut()
		if !(size > 0) {
			break
		}
		p, ok := s.test(size, rate, coin)
		if !ok {
			break
		}
		found = append(found, Shift{at, p})
		s.bounds = append(s.bounds, at)
		slices.Sort(s.bounds)
	}
	sorted.By(found, func(a, b Shift) int { return a.At - b.At })
	return found
}

// A series is values in an order, cut into parts.
type series struct {
	values []float64
	order  []int
	bounds []int     // where parts begin and end, sorted
	sums   []float64 // see sum
}

func newSeries(values []float64) *series {
	s := &series{values: values, bounds: []int{0, len(values)}}
	for i := range values {
		s.order = append(s.order, i)
	}
	return s
}

// cut returns the largest cut of all parts.
func (s *series) cut() (at int, size float64) {
	for i, to := range s.bounds[1:] {
		if a, q := s.cutOf(s.bounds[i], to); q > size {
			at, size = a, q
		}
	}
	return at, size
}

// cutOf returns the largest cut of one part. What is behind a cut ends anywhere:
// a level that is left again would otherwise hide its own beginning.
func (s *series) cutOf(from, to int) (at int, size float64) {
	n := to - from
	s.sum(from, n)
	for k := shortest; k <= n-shortest; k++ {
		left := s.block(n, 0, k, 0, k)
		for end := k + shortest; end <= n; end++ {
			if q := energy(left, s.block(n, 0, k, k, end), s.block(n, k, end, k, end), float64(k), float64(end-k)); q > size {
				at, size = from+k, q
			}
		}
	}
	return at, size
}

// sum adds up the distances of all pairs in a part of n values: sums[i*(n+1)+j] is
// that of its first i values from its first j.
func (s *series) sum(from, n int) {
	w := n + 1
	s.sums = slices.Grow(s.sums[:0], w*w)[:w*w]
	clear(s.sums[:w])
	for i := range n {
		row, x := 0.0, s.values[s.order[from+i]]
		s.sums[(i+1)*w] = 0
		for j := range n {
			row += math.Abs(x - s.values[s.order[from+j]])
			s.sums[(i+1)*w+j+1] = s.sums[i*w+j+1] + row
		}
	}
}

// block is the sum of the distances of values a to b from values c to d.
func (s *series) block(n, a, b, c, d int) float64 {
	w := n + 1
	return s.sums[b*w+d] - s.sums[a*w+d] - s.sums[b*w+c] + s.sums[a*w+c]
}

// energy is the statistic of m values and n, from the sums of their distances; those
// within a side hold each pair twice.
func energy(left, across, right, m, n float64) float64 {
	return m * n / (m + n) * (2*across/(m*n) - left/(m*(m-1)) - right/(n*(n-1)))
}

// test reports how often a random order within the parts has a cut as large. It ends
// as soon as there are too many of them.
func (s *series) test(size, rate float64, coin *rand.Rand) (p float64, ok bool) {
	allowed := int(math.Floor(rate*orders + 1e-9))
	shuffled := &series{values: s.values, order: slices.Clone(s.order), bounds: s.bounds}
	as := 1 // the series' own
	for range orders - 1 {
		shuffled.shuffle(coin)
		// Sums in another order differ in their last digits.
		if _, q := shuffled.cut(); q >= size*(1-1e-9) {
			as++
		}
		if as > allowed {
			return 0, false
		}
	}
	return float64(as) / orders, true
}

func (s *series) shuffle(coin *rand.Rand) {
	for i, to := range s.bounds[1:] {
		part := s.order[s.bounds[i]:to]
		coin.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
	}
}
