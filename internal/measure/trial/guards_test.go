package trial

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

// The wall guard of one benchmark of many needs more pairs: all of them would be
// worse by chance in one of two to the power of their number.
func TestWallGuardOfMany(t *testing.T) {
	simulation(t)
	for _, tt := range []struct {
		name    string
		effect  float64
		alpha   float64
		pairs   int
		tripped bool
	}{
		{"one benchmark", 0.5, 0.05 / 2, 6, true},
		{"one of fifty", 0.5, 0.05 / 2 / 50, 11, true},
		{"no worse", 0.05, 0.05 / 2 / 50, 1, false},
	} {
		tr, machine := simulate(1, simulated{effect: tt.effect})
		g, err := tr.wallGuard(t.Context(), plan, &bench.Binary{}, &bench.Binary{}, tt.alpha)
		if err != nil {
			t.Fatal(err)
		}
		if g.Tripped != tt.tripped || len(machine.units) != tt.pairs {
			t.Errorf("%s: tripped %v after %d pairs, want %v after %d", tt.name, g.Tripped, len(machine.units), tt.tripped, tt.pairs)
		}
		if strings.HasPrefix(g.Detail, "no alarm: ") == tt.tripped || strings.Contains(g.Detail, " % in all of ") != tt.tripped || (g.After != 0) != tt.tripped {
			t.Errorf("%s: %v → %v, %q: only an alarm has figures, with their range", tt.name, g.Before, g.After, g.Detail)
		}
	}
}

// The heap guard keeps its error rate whatever the noise of the heap is, and
// still sees what has grown.
func TestHeapGuardOfEquals(t *testing.T) {
	simulation(t)
	const runs = 20_000
	trips := func(n int, sd, growth float64) float64 {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		tripped := 0
		for range runs {
			g, err := heapGuard(n, func() (peak [2]float64, err error) {
				for i := range peak {
					peak[i] = 100 << 20 * math.Exp(sd*rng.NormFloat64())
				}
				peak[1] *= 1 + growth
				return peak, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if g.Tripped {
				tripped++
			}
		}
		return float64(tripped) / runs
	}
	for _, alpha := range []float64{0.05, 0.05 / 4, 0.05 / 4 / 20} {
		n := heapRunsFor(alpha)
		for _, sd := range []float64{0.01, 0.03, 0.1, 0.3, 1} {
			rate := trips(n, sd, 0)
			t.Logf("%d runs, noise of %.0f %%: %.3f %% trip", n, 100*sd, 100*rate)
			if limit := alpha + 4*math.Sqrt(alpha/runs); rate > limit {
				t.Errorf("alpha %v, %d runs, noise of %.0f %%: %.3f %% of equals trip", alpha, n, 100*sd, 100*rate)
			}
		}
		if rate := trips(n, 0.03, 0.3); rate < 0.99 {
			t.Errorf("alpha %v, %d runs: a heap that grew by 30 %% is seen in %.1f %%", alpha, n, 100*rate)
		}
	}
	for alpha, want := range map[float64]int{1: 3, 0.05: 3, 0.03: 4, 0.0125: 5, 0.000625: 7} {
		if n := heapRunsFor(alpha); n != want {
			t.Errorf("%d runs for %v, want %d", n, alpha, want)
		}
	}
}

// A candidate that allocates next to nothing cannot trip the guard of the heap. What
// is allocated while the timer stands is not in the count.
func TestEmptyHeap(t *testing.T) {
	slice := func(bytes uint64, stops int64) [2]model.Sample {
		return [2]model.Sample{{Bytes: 1 << 30}, {Bytes: bytes, Stops: stops}}
	}
	for _, tt := range []struct {
		name    string
		samples [][2]model.Sample
		want    bool
	}{
		{"nothing", [][2]model.Sample{slice(0, 0), slice(700, 0)}, true},
		{"one slice that allocates", [][2]model.Sample{slice(0, 0), slice(200<<10, 0)}, false},
		{"allocated with the timer stopped", [][2]model.Sample{slice(0, 0), slice(0, 3)}, false},
		{"not counted", nil, false},
	} {
		if g, ok := emptyHeap(tt.samples); ok != tt.want || ok && (g.Skipped == "" || g.Tripped) {
			t.Errorf("%s: %v, %+v", tt.name, ok, g)
		}
	}
}
