package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The intervals are those that tables of Clopper and Pearson give.
func TestExactInterval(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{
		{0, 60, 0, 0.0596},
		{3, 60, 0.0104, 0.1392},
		{13, 58, 0.1251, 0.3527},
		{10, 10, 0.6915, 1},
		{1, 1, 0.025, 1},
		{0, 0, 0, 1},
	} {
		lo, hi := exactInterval(c.k, c.n)
		if math.Abs(lo-c.lo) > 2e-4 || math.Abs(hi-c.hi) > 2e-4 {
			t.Errorf("%d of %d: [%.4f, %.4f], want [%.4f, %.4f]", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}

func TestBound(t *testing.T) {
	for n, want := range map[int]int{0: 0, 20: 3, 60: 6, 100: 9} {
		if got := bound(n, 0.05); got != want {
			t.Errorf("bound(%d) = %d, want %d", n, got, want)
		}
	}
}

// A block bootstrap of units that share luck must be wider than one of single
// units.
func TestBlockIntervalSeesSharedLuck(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var xs []float64
	for range 40 {
		luck := 0.01 * rng.NormFloat64()
		for range settingLen {
			xs = append(xs, 0.02+luck+0.001*rng.NormFloat64())
		}
	}
	lo, hi := blockInterval(xs, settingLen, rng)
	slo, shi := blockInterval(xs, 1, rng)
	if hi-lo < 1.5*(shi-slo) {
		t.Errorf("blocks give [%.4f, %.4f], single units [%.4f, %.4f]", lo, hi, slo, shi)
	}
	if lo > 0.02 || hi < 0.02 {
		t.Errorf("[%.4f, %.4f] misses 0.02", lo, hi)
	}
}

func TestTrimmedIsNotMovedBySpikes(t *testing.T) {
	xs := []float64{1, 1, 1, 1, 1, 1, 1, 1, 100, -50}
	if got := trimmed(xs); got != 1 {
		t.Errorf("trimmed = %v", got)
	}
}
