package trial

import (
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// samples are pairs whose allocations vary by as much as a pool makes them.
func samples(r *rand.Rand, n int, base, cand float64) [][2]model.Sample {
	var pairs [][2]model.Sample
	for range n {
		one := func(mean float64) model.Sample {
			return model.Sample{N: 100, Allocs: uint64(100 * mean * (0.8 + 0.4*r.Float64()))}
		}
		pairs = append(pairs, [2]model.Sample{one(base), one(cand)})
	}
	return pairs
}

func TestTrend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		name       string
		n          int
		base, cand float64
		want       int
	}{
		{"fell", trendUnits, 90, 50, -1},
		{"rose", trendUnits, 50, 90, 1},
		{"too few pairs", trendUnits - 1, 90, 50, 0},
		{"within the noise", trendUnits, 90, 88, 0},
		{"more pairs", 5 * trendUnits, 90, 50, -1},
	} {
		if e := Compare(samples(r, tt.n, tt.base, tt.cand))[0]; !e.Noisy || e.Trend != tt.want || e.Fell() || e.Rose() {
			t.Errorf("%s: %+v", tt.name, e)
		}
	}
	if e := Compare(samples(r, trendUnits, 90, 90)[:1])[0]; e.Trend != 0 {
		t.Errorf("one pair: %+v", e)
	}
}

// Of equal sides few have a trend: the sign test's 6 of 1,000, and fewer since
// medians have to lie apart.
func TestNoTrend(t *testing.T) {
	r, found := rand.New(rand.NewPCG(3, 4)), 0
	for range 2000 {
		if Compare(samples(r, trendUnits, 90, 90))[0].Trend != 0 {
			found++
		}
	}
	if found > 20 {
		t.Errorf("%d of 2000", found)
	}
}
