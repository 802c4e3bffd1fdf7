package judge

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// full runs the simulations at their full size and prints the tables:
//
//	go test ./judge -run Table -v -judge.full
var full = flag.Bool("judge.full", false, "run the simulations at full size and print their tables")

// runs returns how many simulated sequences a test plays.
func runs(fast, thorough int) int {
	if *full {
		return thorough
	}
	return fast
}

// cases returns the cases that a test simulates: all at full size, and otherwise the part that the commit draws.
func cases[T any](all ...T) []T {
	if *full {
		return all
	}
	return sample.Part(all, 3)
}

// A noise draws the noise of one unit: the difference of two independent
// arms, each of unit standard deviation (bar spikes).
type noise struct {
	name string
	arm  func(*rand.Rand) float64
}

func (n noise) draw(r *rand.Rand) float64 { return n.arm(r) - n.arm(r) }

var (
	gauss = noise{"gauss", (*rand.Rand).NormFloat64}
	t3    = noise{"t3", func(r *rand.Rand) float64 { return student3(r) / math.Sqrt(3) }}
	// spikes are 10 % of arms with ten times the noise.
	spikes = noise{"spikes", func(r *rand.Rand) float64 {
		if r.Float64() < 0.1 {
			return 10 * r.NormFloat64()
		}
		return r.NormFloat64()
	}}
)

func student3(r *rand.Rand) float64 {
	var chi float64
	for range 3 {
		z := r.NormFloat64()
		chi += z * z
	}
	return r.NormFloat64() / math.Sqrt(chi/3)
}

// A tally is what many simulated sequences came to.
type tally struct {
	answers map[Answer]int
	units   []int // at the end of each
	missed  int   // intervals at the end that do not hold the truth
	drifted int
	runs    int
	ends    []end
}

// An end is what one sequence measured: the plain estimate, and the one that is
// shown, as log ratios.
type end struct {
	plain, shown float64
	claim        bool
	units        int
}

// A bias is how the estimates of some sequences lie to the truth, as shares of
// it: their means, and the roots of their mean square errors.
type bias struct {
	plain, shown, offPlain, offShown float64
	n                                int
}

func (b bias) String() string {
	return fmt.Sprintf("(%d) %.2f → %.2f, rms %.2f → %.2f", b.n, b.plain, b.shown, b.offPlain, b.offShown)
}

// estimates returns the bias over the ends that are chosen.
func (t tally) estimates(chosen func(end) bool, truth float64) bias {
	var b bias
	for _, e := range t.ends {
		if !chosen(e) {
			continue
		}
		b.n++
		plain, shown := e.plain/truth, e.shown/truth
		b.plain, b.shown = b.plain+plain, b.shown+shown
		b.offPlain, b.offShown = b.offPlain+(plain-1)*(plain-1), b.offShown+(shown-1)*(shown-1)
	}
	n := float64(b.n)
	b.plain, b.shown, b.offPlain, b.offShown = b.plain/n, b.shown/n, math.Sqrt(b.offPlain/n), math.Sqrt(b.offShown/n)
	return b
}

func (t tally) share(a Answer) float64 { return float64(t.answers[a]) / float64(t.runs) }

func (t tally) mean() float64 {
	sum := 0
	for _, n := range t.units {
		sum += n
	}
	return float64(sum) / float64(t.runs)
}

func (t tally) quantile(q float64) int {
	slices.Sort(t.units)
	return t.units[min(int(q*float64(t.runs)), t.runs-1)]
}

// simulate plays sequences of units effect + draw, in log ratio.
func simulate(seed uint64, n int, rules Rules, effect float64, draw func(*rand.Rand) float64) tally {
	r := rand.New(rand.NewPCG(seed, 1))
	t := tally{answers: map[Answer]int{}, runs: n}
	for range n {
		s := NewSequence(rules)
		for s.answer == Undecided && len(s.units) < rules.MaxUnits {
			if err := s.Add(effect + draw(r)); err != nil {
				panic(err)
			}
		}
		d := s.Decision()
		t.answers[d.Answer]++
		t.units = append(t.units, d.Units)
		t.ends = append(t.ends, end{
			plain: location(s.sorted), shown: math.Log1p(d.Estimate), claim: d.Answer == Faster || d.Answer == Slower, units: d.Units,
		})
		truth := math.Expm1(effect)
		if truth < d.Lo || truth > d.Hi {
			t.missed++
		}
		if d.Drifted {
			t.drifted++
		}
	}
	return t
}

// scaled multiplies a noise by the standard deviation of one arm.
func scaled(n noise, sd float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return sd * n.draw(r) }
}

// pairs makes the standard deviation of the pair sd, not that of one arm.
func pairs(n noise, sd float64) func(*rand.Rand) float64 { return scaled(n, sd/math.Sqrt2) }

// atMost fails when count of n is more than the rate allows at four standard
// deviations of the binomial.
func atMost(t *testing.T, what string, count, n int, rate float64) {
	t.Helper()
	if limit := rate*float64(n) + 4*math.Sqrt(rate*(1-rate)*float64(n)); float64(count) > limit {
		t.Errorf("%s: %d of %d, more than the rate %.3f allows (%.0f)", what, count, n, rate, limit)
	}
}
