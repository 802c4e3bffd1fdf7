package judge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The end found by probing and halving is the outermost: a fine walk over
// what lies outside it finds nothing that is not excluded. And it is an edge.
func TestEndsAreOutermost(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	p := newProcess(0)
	const limit = 40.0
	for run := range runs(100, 3000) {
		units := make([]float64, 8+r.IntN(80))
		noise := []noise{gauss, t3, spikes}[run%3]
		for i := range units {
			units[i] = 0.01 + 0.01*noise.draw(r)
		}
		sorted := slices.Clone(units)
		slices.Sort(sorted)
		lo, sd := lowerEnd(units, sorted, limit, p), madSD(sorted)
		if math.IsInf(lo, 0) {
			t.Fatalf("run %d: no lower end after %d units", run, len(units))
		}
		for _, walk := range []struct{ width, step float64 }{{2 * sd, sd / 300}, {1, 0.01}} {
			for x := lo - walk.width; x < lo; x += walk.step {
				if !p.reaches(x, units, above, limit) {
					t.Errorf("run %d, %d units: lower end %v, but %v is not excluded", run, len(units), lo, x)
					break
				}
			}
		}
		if p.reaches(lo+2*resolution, units, above, limit) {
			t.Errorf("run %d, %d units: lower end %v is no edge", run, len(units), lo)
		}
	}
}

// Changing all signs mirrors the interval.
func TestEndsMirror(t *testing.T) {
	s, m := NewSequence(RegressRules()), NewSequence(RegressRules())
	for _, d := range fixed {
		addAll(t, s, d)
		addAll(t, m, -d)
	}
	p := newProcess(0)
	lo, hi := lowerEnd(s.units, s.sorted, 40, p), upperEnd(s.units, s.sorted, 40, p)
	if l, h := lowerEnd(m.units, m.sorted, 40, p), upperEnd(m.units, m.sorted, 40, p); l != -hi || h != -lo {
		t.Errorf("[%v, %v] mirrors to [%v, %v]", lo, hi, l, h)
	}
	if !(lo < -0.01 && -0.05 < lo && hi < 0.02 && hi > -0.01) {
		t.Errorf("interval of the sample is [%v, %v]", lo, hi)
	}
}

// Wild values move the ends no further than as many ordinary ones.
func TestEndsRobust(t *testing.T) {
	p := newProcess(0)
	ends := func(units []float64) (lo, hi float64) {
		sorted := slices.Clone(units)
		slices.Sort(sorted)
		return lowerEnd(units, sorted, 40, p), upperEnd(units, sorted, 40, p)
	}
	r := rand.New(rand.NewPCG(42, 1))
	units := make([]float64, 60)
	for i := range units {
		units[i] = 0.01 * r.NormFloat64()
	}
	for i := 10; i < 60; i += 20 {
		units[i] = 0.2
	}
	lo, hi := ends(units)
	for i := 10; i < 60; i += 20 {
		units[i] = 500
	}
	wildLo, wildHi := ends(units)
	if math.Abs(lo-wildLo) > 1e-5 || math.Abs(hi-wildHi) > 1e-5 {
		t.Errorf("three units of e^0.2: [%v, %v]; of e^500: [%v, %v]", lo, hi, wildLo, wildHi)
	}
}
