package diagnose

import "math"

// The noise of profiles. The count of a function in a profile varies more than
// chance alone explains: samples come in bursts, and two runs of one program
// are not one program. The variance that is assumed of a share p in n samples,
// of its logarithm and to first order, is
//
//	bursts·(1−p)/(n·p) + between²·(1−p)²
//
// The second part does not go away with longer profiles. It is larger for the
// scheduler, whose part depends on what else the machine does, and for waits.
// Where there are several profiles on a side, the variance that they show takes
// the place of this one by and by, as if this one had been seen in so many
// profiles before (docs/profile-changes.md says how the figures were found).
const (
	bursts   = 1.5
	between  = 0.1
	restless = 0.5 // instead of between, for waits and what is mostly the scheduler's
	prior    = 20
)

// level is the probability of naming anything at all that is noise.
const level = 0.05

// A weighing is one profile, or all of a side.
type weighing struct {
	total, squares float64 // values of all samples, and the squares of each one's
	spread         float64 // Σ(share of each profile)²: 1 for one profile, 1/k for k
	exposure       float64 // operations or seconds; 0 when shares are compared
}

// rate is what is compared: a share, or units per exposure.
func (w weighing) rate(in float64) float64 {
	if w.exposure > 0 {
		return in / w.exposure
	}
	if w.total == 0 {
		return 0
	}
	return in / w.total
}

// variance returns that of the logarithm of a rate, as assumed and by chance
// alone. each is the weight of one sample.
func (w weighing) variance(rate, each, between float64) (assumed, chance float64) {
	if w.exposure > 0 {
		chance = each / (rate * w.exposure)
		return bursts*chance + between*between*w.spread, chance
	}
	first := each / (rate * w.total)
	chance = max((1-2*rate)*first+w.squares/(w.total*w.total), first*1e-6)
	return bursts*chance + between*between*(1-rate)*(1-rate)*w.spread, chance
}

// events returns how many independent events a unit of rate stands for:
// a rate of r is worth r·events of them.
func (w weighing) events(rate, each, between, inflation float64) float64 {
	if rate == 0 {
		if w.exposure > 0 {
			return w.exposure / each / (bursts * inflation)
		}
		return w.total / each / (bursts * inflation)
	}
	assumed, chance := w.variance(rate, each, between)
	return 1 / (rate * max(assumed*inflation, chance))
}

// A contrast is the two sides of one comparison.
type contrast struct {
	base, now         weighing
	inBase, inNow     float64
	eachBase, eachNow float64 // weight of one sample
	between           float64 // standard deviation between runs that is assumed
	inflation         float64 // variance seen over variance assumed
	df                float64 // degrees of freedom of that
}

// p returns the probability of a difference as great as this by noise alone.
// Given the sum of both counts, that of one side is binomial, whatever the rate
// (J. Przyborowski and H. Wilenski, Biometrika 31, 1940); half the probability
// of what was seen counts as more extreme. Its normal deviate is then read on
// Student's distribution, for the variance is an estimate.
func (c contrast) p() float64 {
	a, b := c.base.rate(c.inBase), c.now.rate(c.inNow)
	rate := c.pooled()
	if a == b || rate <= 0 || c.base.exposure == 0 && rate >= 1 {
		return 1
	}
	ea, eb := c.base.events(rate, c.eachBase, c.between, c.inflation), c.now.events(rate, c.eachNow, c.between, c.inflation)
	x, n, pi := b*eb, a*ea+b*eb, eb/(ea+eb)
	if math.IsNaN(n) || math.IsInf(n, 0) || n <= 0 {
		return 1
	}
	z := (x - n*pi) / math.Sqrt(n*pi*(1-pi))
	if n < 1e5 {
		up := (upTo(pi, x, n-x+1) + upTo(pi, x+1, n-x)) / 2
		down := (upTo(1-pi, n-x, x+1) + upTo(1-pi, n-x+1, x)) / 2
		z = normalQuantile(2 * min(up, down))
	}
	return studentTail(math.Abs(z), c.df)
}

func (c contrast) pooled() float64 {
	if c.base.exposure > 0 {
		return (c.inBase + c.inNow) / (c.base.exposure + c.now.exposure)
	}
	return (c.inBase + c.inNow) / (c.base.total + c.now.total)
}

// ratio returns the interval of after over before at 95 %: the score interval
// (Wilson's) of the part of the events that came after.
func (c contrast) ratio() (lo, hi float64) {
	a, b := c.base.rate(c.inBase), c.now.rate(c.inNow)
	ea, eb := c.base.events(a, c.eachBase, c.between, c.inflation), c.now.events(b, c.eachNow, c.between, c.inflation)
	n := a*ea + b*eb
	if !(n > 0) || math.IsInf(n, 0) {
		return 1, 1
	}
	q, z := b*eb/n, StudentQuantile(0.05, c.df)
	mid, half := (q+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(q*(1-q)/n+z*z/(4*n*n))
	of := func(q float64) float64 {
		switch {
		case q <= 0:
			return 0
		case q >= 1:
			return math.Inf(1)
		}
		return q / (1 - q) * ea / eb
	}
	return of(max(0, mid-half)), of(min(1, mid+half))
}

// studentTail returns the probability of a deviate beyond ±z.
func studentTail(z, df float64) float64 { return upTo(df/(df+z*z), df/2, 0.5) }

// StudentQuantile returns the deviate of Student's distribution with df degrees of freedom
// whose tails beyond ± have probability p together.
func StudentQuantile(p, df float64) float64 {
	return fallsTo(p, func(z float64) float64 { return studentTail(z, df) })
}

// normalQuantile is that of the normal distribution. (math.Erfcinv works on
// 1−p, which has no digits left where p is small.)
func normalQuantile(p float64) float64 {
	return fallsTo(p, func(z float64) float64 { return math.Erfc(z / math.Sqrt2) })
}

// fallsTo returns where a tail that falls from 1 at 0 has fallen to p; 37,
// beyond which no float64 is, at most.
func fallsTo(p float64, tail func(float64) float64) float64 {
	lo, hi := 0.0, 37.0
	for range 60 {
		if mid := (lo + hi) / 2; tail(mid) > p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// upTo returns the regularized incomplete beta function I_x(a, b): the
// probability that a beta variate is at most x. It is 1 for a = 0, and 0 for
// b = 0.
func upTo(x, a, b float64) float64 {
	switch {
	case a <= 0 || x >= 1:
		return 1
	case b <= 0 || x <= 0:
		return 0
	case x > (a+1)/(a+b+2):
		return 1 - upTo(1-x, b, a)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab - la - lb + a*math.Log(x) + b*math.Log1p(-x))
	return min(1, front/a/fraction(x, a, b))
}

// fraction is the continued fraction of the incomplete beta function (DLMF
// 8.17.22), evaluated from the front as products of the ratios of successive
// numerators and of denominators.
func fraction(x, a, b float64) float64 {
	const tiny = 1e-300
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	value, num, den := 1.0, 1.0, 0.0
	for i := 1; i < 10000; i++ {
		m := float64(i / 2)
		d := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		if i%2 == 1 {
			d = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		den = 1 / nonzero(1+d*den)
		num = nonzero(1 + d/num)
		value *= num * den
		if math.Abs(num*den-1) < 1e-13 {
			break
		}
	}
	return value
}
