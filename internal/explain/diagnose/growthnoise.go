package diagnose

import "math"

// A drawn is what is known of objects by those of them that were sampled.
//
// The runtime samples an object of s bytes with a chance p that follows from
// MemProfileRate, independently of others, and forgets it when it is freed. So
// one sampled object stands for s/p bytes, n of them for n·s/p with a variance
// of about n·(s/p)²·(1−p), and objects much larger than the rate are all seen.
type drawn struct {
	sum      float64 // bytes that they stand for
	variance float64 // of sum
	count    float64 // of sampled objects
}

// add puts in n sampled objects; each stands for weight bytes.
func (d *drawn) add(n, weight, chance float64) {
	d.sum += n * weight
	d.variance += n * weight * weight * (1 - chance)
	d.count += n
}

// join adds what is known of other objects, times a factor.
func (d *drawn) join(o drawn, factor float64) {
	d.sum += factor * o.sum
	d.variance += factor * factor * o.variance
	d.count += o.count
}

// grain is how much variance comes with a byte: what one sampled object stands
// for, on average. 0 where nothing was sampled, or everything.
func (d drawn) grain() float64 {
	if d.sum <= 0 {
		return 0
	}
	return d.variance / d.sum
}

// bounds returns the interval of sum. It is the score interval of a Poisson
// mean, for a sum of unequal weights scaled to its mean and variance, as M. Fay
// and E. Feuer do it ("Confidence intervals for directly standardized rates",
// Statistics in Medicine 16, 1997). It holds for few objects and, with the grain
// of others like them, for none. Z is the quantile of the normal distribution.
func (d drawn) bounds(grain, z float64) (lo, hi float64) {
	mid := d.sum + z*z*grain/2
	half := z * math.Sqrt(d.variance+z*z*grain*grain/4)
	return max(0, min(d.sum, mid-half)), max(d.sum, mid+half)
}

// A change is what came and what went between two profiles. Objects that are
// in both are in neither: they were sampled once, and add no noise to the
// difference.
type change struct{ came, went drawn }

func (c change) value() float64 { return c.came.sum - c.went.sum }

func (c *change) join(o change, factor float64) {
	c.came.join(o.came, factor)
	c.went.join(o.went, factor)
}

// bounds returns the interval of the difference, put together from those of its
// sides: R. Newcombe, "Interval estimation for the difference between
// independent proportions", Statistics in Medicine 17 (1998), method 10. Grain
// is that of objects of the same site, for a side where none was sampled.
func (c change) bounds(grain, z float64) (lo, hi float64) {
	of := func(a, b drawn) float64 {
		switch {
		case a.count > 0:
			return a.grain()
		case b.count > 0:
			return b.grain()
		}
		return grain
	}
	lo1, hi1 := c.came.bounds(of(c.came, c.went), z)
	lo2, hi2 := c.went.bounds(of(c.went, c.came), z)
	v := c.value()
	return v - math.Hypot(c.came.sum-lo1, hi2-c.went.sum), v + math.Hypot(hi1-c.came.sum, c.went.sum-lo2)
}

// z95 is the quantile at 95 %.
const z95 = 1.959964

// zFor returns that of the normal distribution, on both sides, for a
// confidence of 95 % in n statements together (Bonferroni).
func zFor(n int) float64 {
	return math.Sqrt2 * math.Erfinv(1-0.05/float64(max(n, 1)))
}

// rising returns the probability that values without a trend, in random order,
// would rise as clearly as these: the exact test of M. Kendall and H. Mann.
// Equal values count neither way, which makes it larger.
func rising(values []float64) float64 {
	n := len(values)
	s := 0
	for i := range values {
		for j := i + 1; j < n; j++ {
			switch {
			case values[j] > values[i]:
				s++
			case values[j] < values[i]:
				s--
			}
		}
	}
	// Of n values in random order, the number of pairs that fall is distributed as
	// a sum of n numbers, where the i-th is one of 0 to i−1.
	falls := []float64{1}
	for i := 2; i <= n; i++ {
		next := make([]float64, len(falls)+i-1)
		for at, p := range falls {
			for more := range i {
				next[at+more] += p / float64(i)
			}
		}
		falls = next
	}
	pairs := n * (n - 1) / 2
	p := 0.0
	for at, q := range falls {
		if pairs-2*at >= s {
			p += q
		}
	}
	return min(p, 1)
}
