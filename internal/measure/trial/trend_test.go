package trial

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
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

// leastPairs is how many pairs tell which way a noisy count goes at least.
var leastPairs = verdict.TrendPairs(1)

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
	if counts[0].Trend >= 0 || len(pairs) <= leastPairs || len(pairs) > 3*leastPairs {
		t.Errorf("one that does: %+v after %d pairs", counts[0], len(pairs))
	}
}
