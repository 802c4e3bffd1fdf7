package verdict

import (
	"math"
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
		if e := Counts(samples(r, tt.n, tt.base, tt.cand), 1)[0]; !e.Noisy || e.Trend != tt.want || e.Fell() || e.Rose() {
			t.Errorf("%s: %+v", tt.name, e)
		}
	}
	if e := Counts(samples(r, trendUnits, 90, 90)[:1], 1)[0]; e.Trend != 0 {
		t.Errorf("one pair: %+v", e)
	}
}

// Of equal sides few have a trend: the sign test's 6 of 1,000, and fewer since
// medians have to lie apart.
func TestNoTrend(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates many runs")
	}
	r, found := rand.New(rand.NewPCG(3, 4)), 0
	for range 2000 {
		if Counts(samples(r, trendUnits, 90, 90), 1)[0].Trend != 0 {
			found++
		}
	}
	if found > 20 {
		t.Errorf("%d of 2000", found)
	}
}

func TestByChance(t *testing.T) {
	for _, tt := range []struct {
		n, same int
		want    float64
	}{{1, 1, 1}, {2, 2, 0.5}, {12, 12, 2. / 4096}, {12, 11, 26. / 4096}, {5, 3, 1}} {
		if got := byChance(tt.n, tt.same); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%d of %d: %v, want %v", tt.same, tt.n, got, tt.want)
		}
	}
}
func TestNoisyCountsClaimNothing(t *testing.T) {
	pair := func(base, cand uint64) [2]model.Sample {
		return [2]model.Sample{{N: 1000, Allocs: base}, {N: 1000, Allocs: cand}}
	}
	e := Counts([][2]model.Sample{pair(5000, 3000), pair(5000, 4000), pair(5000, 3500)}, 1)[0]
	if !e.Noisy || e.Fell() || e.Rose() || e.Equal() {
		t.Errorf("an arm that disagrees with itself: %+v", e)
	}
	// A fifth of an object per op is real when it repeats.
	if e := Counts([][2]model.Sample{pair(970, 770), pair(970, 770), pair(970, 770)}, 1)[0]; !e.Fell() {
		t.Errorf("0.97 → 0.77: %+v", e)
	}
}

// Wall time is a figure where the two sides took turns, and nowhere else.
func TestFiguresOfWallTime(t *testing.T) {
	var pairs [][2]model.Sample
	for i := range 3 {
		x := float64(100 + 10*i)
		pairs = append(pairs, [2]model.Sample{
			{N: 10, CPUNs: x, WallNs: 2 * x, Allocs: 30, Bytes: 480},
			{N: 10, CPUNs: x / 2, WallNs: x, Allocs: 20, Bytes: 320},
		})
	}
	counts := []model.Exact{{Metric: "allocs/op", Before: 2.97, After: 1.97}}
	duet := Figures(model.Duet, pairs, counts)
	want := [2]model.Stats{{CPUNs: 110, Allocs: 2.97, Bytes: 48}, {CPUNs: 55, Allocs: 1.97, Bytes: 32}}
	if duet != want {
		t.Errorf("duets: %+v, want %+v", duet, want)
	}
	if st := Figures(model.Alternate, pairs, nil); st[0].WallNs != 220 || st[1].WallNs != 110 || st[0].Allocs != 3 {
		t.Errorf("in turns: %+v", st)
	}
}
func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		in   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}} {
		if got := Median(tt.in); got != tt.want {
			t.Errorf("Median(%v) = %v, want %v", tt.in, got, tt.want)
		}
	}
}
