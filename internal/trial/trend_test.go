package trial

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
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
	simulation(t)
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

// A machine on which allocations vary, on both sides alike; favour is how far
// apart they lie.
type pooled struct {
	r      *rand.Rand
	favour float64
	units  int
}

func (m *pooled) Unit(_ context.Context, p model.Plan, _, _ *bench.Binary, _ Unit) ([2]model.Sample, error) {
	m.units++
	pair := samples(m.r, 1, 90, 90-m.favour)[0]
	for i := range pair {
		pair[i].N = p.N
		pair[i].Allocs *= uint64(p.N / 100)
	}
	return pair, nil
}

// A search that tries many changes asks more of a trend the longer it lasts, as
// it does of a time.
func TestTrendInASearch(t *testing.T) {
	simulation(t)
	const changes = 400
	found := 0
	for i := range changes {
		m := &pooled{r: rand.New(rand.NewPCG(5, uint64(i)))}
		counts, _, err := New(m, uint64(i)).Counts(t.Context(), plan, nil, nil, judge.AlphaAt(0.05, i+1)/2)
		if err != nil {
			t.Fatal(err)
		}
		if counts[0].Trend < 0 {
			found++
		}
	}
	if found > 0 {
		t.Errorf("of %d changes that do nothing, %d seem to allocate less", changes, found)
	}
	m := &pooled{r: rand.New(rand.NewPCG(7, 8)), favour: 50}
	counts, pairs, err := New(m, 1).Counts(t.Context(), plan, nil, nil, judge.AlphaAt(0.05, changes)/2)
	if err != nil {
		t.Fatal(err)
	}
	if counts[0].Trend >= 0 || len(pairs) <= trendUnits || len(pairs) > 3*trendUnits {
		t.Errorf("one that does: %+v after %d pairs", counts[0], len(pairs))
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
