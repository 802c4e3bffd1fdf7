package equal

import (
	"math"
	"testing"
	"time"

	after "evidence/after"
	before "evidence/before"
)

func TestRow(t *testing.T) {
	for _, n := range []int{0, 7, -7, 100, math.MinInt, math.MaxInt} {
		for _, ratio := range []float64{0, -1, 1.0 / 3, math.Inf(1), math.NaN(), 1e300} {
			for _, at := range []time.Time{{}, time.Unix(0, 0).UTC(), time.Date(2026, 2, 29, 1, 2, 3, 4, time.FixedZone("x", 5400))} {
				b, a := before.Row([]byte("> "), at, n, ratio), after.Row([]byte("> "), at, n, ratio)
				if string(b) != string(a) {
					t.Errorf("%v %d %v: %q, then %q", at, n, ratio, b, a)
				}
			}
		}
	}
}
