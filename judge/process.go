package judge

import (
	"math"
	"slices"
)

// bets are the stakes λ that a process holds a share in each. Their ratio is
// two, which lets one exponential serve all of them: see process.bet.
var bets = [...]float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2}

const (
	warmUp = 4 // units scored by their sign alone, for want of a scale
	clip   = 3 // scores are held within ±clip, so that one spike is one vote
	// madToSD makes the median absolute deviation of normal noise its standard
	// deviation: 1/Φ⁻¹(3/4).
	madToSD = 1.4826
	// ceiling holds wealth below overflow. Cutting wealth is always on the safe
	// side: an e-value made smaller is still an e-value.
	ceiling = 1e300
)

// A side is the direction of a one-sided claim about the true log ratio.
type side int

const (
	above side = iota // it is greater than the point in question
	below             // it is smaller
)

// A process is the pair of e-processes at one point θ: wealth won by betting
// that the true log ratio is above θ, and by betting that it is below.
//
// Unit i is scored x = clip(D−θ, ±3s)/s, where s is 1.4826 times the median
// of |D−θ| over the units before it, so that s is known before D is. While
// there are fewer than four units before it, or when more than half of them
// lie exactly on θ and s is zero, the score is the sign of D−θ.
//
// The bet at stake λ pays exp(λx)/cosh(λx) for above. With x = ±|x| at even
// odds it pays 1 on average, because the two payoffs, each over
// (exp(λ|x|)+exp(−λ|x|))/2, add up to 2. Nothing can be won in the long run
// from units that are symmetric about θ. By Ville's inequality the chance that
// such wealth, 1 at the start, ever reaches t is at most 1/t. Equal shares in
// six stakes are such a wealth again, and grow nearly as fast as the best of
// the six, which need not be known beforehand.
//
// The payoff is 2/(1+exp(−2λx)), which increases with x. So where the units are
// symmetric about a value below θ, each pays at most what the symmetric one
// would. Wealth above θ is an e-process for all of “the effect is θ or less”,
// not only for “the effect is θ”.
type process struct {
	at     float64
	past   []float64 // |D−θ| of the units so far, ascending
	wealth [2][len(bets)]float64
	now    [2]float64 // e-values after the last unit, per side
	top    [2]float64 // the largest so far
}

func newProcess(at float64) *process {
	p := &process{}
	p.reset(at)
	return p
}

// reset starts the process afresh at another point and uses its memory again.
func (p *process) reset(at float64) {
	p.at = at
	p.past = p.past[:0]
	for i := range bets {
		p.wealth[above][i], p.wealth[below][i] = 1, 1
	}
	p.now = [2]float64{1, 1}
	p.top = p.now
}

// add plays one unit.
func (p *process) add(d float64) {
	u := p.odds(d)
	p.bet(above, u)
	p.bet(below, u)
}

// odds scores one unit, remembers its distance to θ, and returns exp(−2λx) at score x and the first stake.
func (p *process) odds(d float64) float64 {
	off := d - p.at
	x := p.score(off)
	size := math.Abs(off)
	i, _ := slices.BinarySearch(p.past, size)
	p.past = slices.Insert(p.past, i, size)
	return math.Exp(-2 * bets[0] * x)
}

// score returns the unit's score from its distance to θ.
func (p *process) score(off float64) float64 {
	if len(p.past) >= warmUp {
		if s := madToSD * sortedMedian(p.past); s > 0 {
			return max(-clip, min(clip, off/s))
		}
	}
	return sign(off)
}

// bet multiplies each share of one side by its payoff. With u = exp(−2λx) the
// payoffs are 2/(1+u) above and 2u/(1+u) below; the next stake is twice this
// one, and its u the square of this u.
func (p *process) bet(s side, u float64) {
	sum, shares := 0.0, &p.wealth[s]
	for i, w := range shares {
		w *= 2 / (1 + u)
		if s == below {
			w *= u
		}
		if w > ceiling {
			w = ceiling
		}
		shares[i] = w
		sum += w
		u *= u
	}
	p.now[s] = sum / float64(len(bets))
	p.top[s] = max(p.top[s], p.now[s])
}

// reaches reports whether the wealth on one side of θ ever reached t during
// the units, using p's memory. It plays that side alone, and stops as soon as it is known.
func (p *process) reaches(at float64, units []float64, s side, t float64) bool {
	p.reset(at)
	for _, d := range units {
		if p.bet(s, p.odds(d)); p.top[s] >= t {
			return true
		}
	}
	return false
}

// sweep returns the number of units, all on one side of a point infinitely
// far away, after which wealth reaches t. There every distance is the same:
// scores are 1 during the warm-up and 1/1.4826 from then on.
func sweep(t float64) int {
	p := newProcess(0)
	for n := 1; ; n++ {
		if p.add(1); p.top[above] >= t || p.top[above] >= ceiling/float64(len(bets)) {
			return n
		}
	}
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
