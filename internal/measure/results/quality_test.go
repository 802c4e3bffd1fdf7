package results

import (
	"math"
	"math/rand/v2"
	"testing"
)

func normal(r *rand.Rand, n int, mean, sd float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + sd*r.NormFloat64()
	}
	return out
}

// The smallest visible effect is about what it says: the test finds it in nearly
// nine of ten comparisons, and half of it far less often.
func TestSees(t *testing.T) {
	const sims, n, sd = 3000, 10, 0.03
	r := rand.New(rand.NewPCG(1, 2))
	var sum float64
	for range sims {
		sum += sees(normal(r, n, 1, sd), normal(r, n, 1, sd))
	}
	// In theory 3.24 · √(π/3 · 2/10) · 3 % = 4.45 %; the robust deviation of ten
	// values is some per cent too small.
	if mean := sum / sims; mean < 0.038 || mean > 0.047 {
		t.Errorf("sees %.4f on average", mean)
	}
	power := func(effect float64) float64 {
		found := 0
		for range sims {
			if mannWhitney(normal(r, n, 1, sd), normal(r, n, 1+effect, sd)) < testLevel {
				found++
			}
		}
		return float64(found) / sims
	}
	if p := power(0.0445); p < 0.82 || p > 0.93 {
		t.Errorf("finds 4.45 %% in %.3f of comparisons", p)
	}
	if p := power(0.0222); p > 0.45 {
		t.Errorf("finds half of it in %.3f of comparisons", p)
	}
}

// Blocks of plain noise are seldom warned of, and what the warnings are for
// is found.
func TestDriftAndModes(t *testing.T) {
	const sims = 3000
	r := rand.New(rand.NewPCG(3, 4))
	share := func(warns func() bool) float64 {
		n := 0
		for range sims {
			if warns() {
				n++
			}
		}
		return float64(n) / sims
	}
	for _, n := range []int{8, 10, 20, 50} {
		if p := share(func() bool { return len(drift(normal(r, n, 100, 3), "x")) > 0 }); p > 0.02 {
			t.Errorf("n=%d: noise drifts in %.3f of blocks", n, p)
		}
		if p := share(func() bool { return len(modes(normal(r, n, 100, 3), "x")) > 0 }); p > 0.02 {
			t.Errorf("n=%d: noise has two modes in %.3f of blocks", n, p)
		}
	}
	slope := func() []float64 {
		vs := normal(r, 10, 100, 1)
		for i := range vs {
			vs[i] += float64(i)
		}
		return vs
	}
	if p := share(func() bool { return len(drift(slope(), "x")) > 0 }); p < 0.9 {
		t.Errorf("a slope of 1 %% a run is seen in %.3f of blocks", p)
	}
	two := func() []float64 {
		vs := normal(r, 12, 100, 1)
		for i := range vs {
			if i%2 == 0 {
				vs[i] += 20
			}
		}
		return vs
	}
	if p := share(func() bool { return len(modes(two(), "x")) > 0 }); p < 0.99 {
		t.Errorf("two modes are seen in %.3f of blocks", p)
	}
}

func TestSmallestP(t *testing.T) {
	// The figures of benchmath's own table.
	for _, tc := range []struct {
		n, m int
		want float64
	}{{1, 1, 1}, {2, 2, 1.0 / 3}, {3, 3, 0.1}, {4, 4, 0.02857142857142857}, {9, 9, 4.113533525298231e-05}, {3, 5, 2.0 / 56}, {5, 3, 2.0 / 56}} {
		if got := smallestP(tc.n, tc.m); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%d+%d: %v, want %v", tc.n, tc.m, got, tc.want)
		}
	}
}

func TestMannWhitneyOfEquals(t *testing.T) {
	same := make([]float64, 200)
	if p := mannWhitney(same, same); p != 1 {
		t.Errorf("p = %v", p)
	}
	if p := mannWhitney(same[:3], same[:3]); p != 1 {
		t.Errorf("p = %v", p)
	}
}
