package equal

import (
	"math"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestNorm(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 1001, 5000} {
		data := make([]float64, n)
		for i := range data {
			data[i] = float64(i*i%97) / 3
		}
		if x, y := before.Norm(data), after.Norm(data); x != y {
			t.Errorf("%d numbers: %v, then %v", n, x, y)
		}
	}
	odd := []float64{math.Inf(1), -1, math.NaN()}
	if x, y := before.Norm(odd), after.Norm(odd); !math.IsNaN(x) || !math.IsNaN(y) {
		t.Errorf("%v: %v, then %v", odd, x, y)
	}
}
