package diagnose

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// fullSim plays the simulations at full size and prints what comes out:
//
//	go test ./internal/explain/diagnose -run Simulated -v -sim
var fullSim = flag.Bool("sim", false, "play the simulations of profiles at full size")

// A simulated program has stacks, each with a share.
type simulated struct {
	stacks []string
	shares []float64
}

// simulate makes up a program: a tree of calls, whose stacks have shares of
// very different size, as those of programs have.
func simulate(r *rand.Rand) simulated {
	var s simulated
	sum := 0.0
	for i := range 120 {
		leaf := fmt.Sprintf("main.leaf%d", i%70)
		s.stacks = append(s.stacks, fmt.Sprintf("%s main.mid%d main.top%d main.main runtime.main", leaf, i%25, i%6))
		share := math.Exp(1.5 * r.NormFloat64())
		s.shares = append(s.shares, share)
		sum += share
	}
	for i := range s.shares {
		s.shares[i] /= sum
	}
	return s
}

// change multiplies the cost of all that a function calls.
func (s simulated) change(from, to int, by float64) simulated {
	out := simulated{s.stacks, append([]float64(nil), s.shares...)}
	for i := from; i < to; i++ {
		out.shares[i] *= by
	}
	return out
}

// profile draws n samples, in bursts of the mean length given, from a run whose
// shares differ from the program's by between (the standard deviation of their
// logarithms).
func (s simulated) profile(t testing.TB, r *rand.Rand, n int, burst, between float64) profile.Source {
	t.Helper()
	cum := make([]float64, len(s.shares))
	sum := 0.0
	for i, p := range s.shares {
		sum += p * math.Exp(between*r.NormFloat64())
		cum[i] = sum
	}
	counts := make([]int64, len(cum))
	at := 0
	for k := range n {
		if k == 0 || r.Float64() < 1/burst {
			u := r.Float64() * sum
			for at = 0; cum[at] < u; at++ {
			}
		}
		counts[at]++
	}
	var rows []row
	for i, c := range counts {
		if c > 0 {
			rows = append(rows, cpuRow(c, s.stacks[i]))
		}
	}
	p := raw(cpuTypes, rows...)
	for _, l := range p.Location { // the same line in each profile
		sum := int64(0)
		for _, c := range l.Line[0].Function.Name {
			sum += int64(c)
		}
		l.Line[0].Line = sum
	}
	return source(t, "sim", p)
}

func (s simulated) profiles(t testing.TB, r *rand.Rand, k, n int, burst, between float64) []profile.Source {
	var out []profile.Source
	for range k {
		out = append(out, s.profile(t, r, n, burst, between))
	}
	return out
}

func compared(t testing.TB, base, now []profile.Source, o Options) model.ProfileComparison {
	t.Helper()
	cs, _, err := Compare(base, now, o)
	if err != nil {
		t.Fatal(err)
	}
	return cs[0]
}

func claims(c model.ProfileComparison) int { return len(c.Functions) + len(c.Lines) + len(c.Signs) }

// Of profiles of one program nothing is named, in nearly all of the pairs: the
// rate of wrong claims is at most the level, for independent samples, for
// bursts, and for runs that differ.
func TestSimulatedNoise(t *testing.T) {
	t.Parallel()
	runs := 60
	if *fullSim {
		runs = 2000
	}
	for n, tt := range []struct {
		name           string
		k, n           int
		burst, between float64
		most           float64 // of the pairs may name something
	}{
		{"independent samples", 1, 2000, 1, 0, level},
		{"few samples", 1, 150, 1, 0, level},
		{"bursts, runs differ by 10 %", 1, 2000, 1.3, 0.1, level},
		{"long, runs differ by 10 %", 1, 20000, 1.3, 0.1, level},
		{"long, bursts, runs differ by 15 %", 1, 20000, 1.5, 0.15, 0.1}, // more than is assumed
		{"three on each side", 3, 2000, 1, 0, level},
		{"three on each side, runs differ by 20 %", 3, 2000, 1.5, 0.2, level},
		{"three on each side, bursts of 5, runs differ by 60 %", 3, 2000, 5, 0.6, level},
	} {
		if n%3 != 0 && !*fullSim && !sample.All() {
			continue
		}
		r := rand.New(rand.NewPCG(7, uint64(tt.n)))
		wrong := 0
		for range runs {
			s := simulate(r)
			c := compared(t, s.profiles(t, r, tt.k, tt.n, tt.burst, tt.between), s.profiles(t, r, tt.k, tt.n, tt.burst, tt.between), Options{})
			if claims(c) > 0 {
				wrong++
			}
		}
		t.Logf("%s: claims in %d of %d pairs", tt.name, wrong, runs)
		if allowed := float64(runs)*tt.most + 3*math.Sqrt(float64(runs)*tt.most); float64(wrong) > allowed {
			t.Errorf("%s: claims in %d of %d pairs of profiles of one program; at most %.0f can be chance", tt.name, wrong, runs, allowed)
		}
	}
}

// A difference that is there is found.
func TestSimulatedPower(t *testing.T) {
	t.Parallel()
	runs := 40
	if *fullSim {
		runs = 500
	}
	for n, tt := range []struct {
		name   string
		k, n   int
		share  float64
		by     float64
		atMost float64 // missed
	}{
		{"5 % costs three times as much", 1, 3000, 0.05, 3, 0.1},
		{"5 % twice as much, three profiles each", 3, 3000, 0.05, 2, 0.1},
		{"20 % falls to a half, three profiles each", 3, 3000, 0.2, 0.5, 0.1},
		{"1 % goes", 1, 3000, 0.01, 0, 0.2},
	} {
		if n%3 != 0 && !*fullSim && !sample.All() {
			continue
		}
		r := rand.New(rand.NewPCG(11, uint64(tt.n)))
		missed := 0
		for range runs {
			s := simulate(r)
			s.stacks = append(s.stacks, "main.target main.caller main.main runtime.main")
			s.shares = append(s.shares, tt.share/(1-tt.share))
			last := len(s.shares) - 1
			now := s.change(last, last+1, tt.by)
			c := compared(t, s.profiles(t, r, tt.k, tt.n, 1.2, 0.1), now.profiles(t, r, tt.k, tt.n, 1.2, 0.1), Options{})
			found := false
			for _, x := range c.Functions {
				found = found || x.Func == "main.target" && x.More() == (tt.by > 1)
			}
			if !found {
				missed++
			}
		}
		t.Logf("%s: missed in %d of %d", tt.name, missed, runs)
		if float64(missed) > tt.atMost*float64(runs) {
			t.Errorf("%s: missed in %d of %d", tt.name, missed, runs)
		}
	}
}
