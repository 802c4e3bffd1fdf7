package changepoint

import (
	"math/rand/v2"
	"testing"
)

// noisy returns n figures around level, with a standard deviation of sd of it.
func noisy(coin *rand.Rand, n int, level, sd float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = level * (1 + sd*coin.NormFloat64())
	}
	return out
}

// Of series without a change, as many as asked for have a shift, within what
// chance makes of 200 of them.
func TestFalseAlarms(t *testing.T) {
	coin := rand.New(rand.NewPCG(1, 2))
	const all = 200
	alarms := 0
	for range all {
		if len(Find(noisy(coin, 20, 1000, 0.05), 0.05, coin)) > 0 {
			alarms++
		}
	}
	if most := 19; alarms > most || alarms < 1 { // 10 ± 3 standard deviations
		t.Errorf("%d of %d series without a change have one; 10 are expected, at most %d", alarms, all, most)
	}
}

// A step of 5 % under noise of 2 % is found, and where it is.
func TestStepIsFound(t *testing.T) {
	coin := rand.New(rand.NewPCG(3, 4))
	const all = 30
	found, near := 0, 0
	for range all {
		values := append(noisy(coin, 20, 1000, 0.02), noisy(coin, 20, 1050, 0.02)...)
		for _, s := range Find(values, 0.01, coin) {
			if s.At >= 17 && s.At <= 23 {
				near++
				break
			}
		}
		if len(Find(values, 0.01, coin)) > 0 {
			found++
		}
	}
	if found < all || near < all*9/10 {
		t.Errorf("of %d steps %d are found, %d of them where they are", all, found, near)
	}
}

func TestShifts(t *testing.T) {
	level := func(parts ...float64) (out []float64) {
		for _, x := range parts {
			for range 10 {
				out = append(out, x)
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		values []float64
		want   []int
	}{
		"nothing":      {},
		"a value":      {[]float64{1}, nil},
		"steady":       {level(5, 5), nil},
		"one step":     {level(5, 7), []int{10}},
		"there, back":  {level(5, 7, 5), []int{10, 20}},
		"three levels": {level(5, 7, 4), []int{10, 20}},
		"one outlier":  {append(level(5, 5), 9), nil},
		"too short":    {[]float64{5, 5, 5, 7, 7, 7}, nil}, // one order in ten
	} {
		got := Find(c.values, 0.01, rand.New(rand.NewPCG(5, 6)))
		ok := len(got) == len(c.want)
		for i := range min(len(got), len(c.want)) {
			ok = ok && got[i].At == c.want[i] && got[i].P <= 0.01
		}
		if !ok {
			t.Errorf("%s: %+v instead of %v", name, got, c.want)
		}
	}
}
