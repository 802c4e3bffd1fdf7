package equal

import (
	"math"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzPositive(f *testing.F) {
	for _, s := range []string{"", "1", "0", "1.5,-2", "1/3,1/0", "1e9,0x1p-2", "1.,.5", "99999999999999999999999999,1", "x,1", "2,", "1_0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		amounts := strings.Split(s, ",")
		if b, a := before.Positive(amounts), after.Positive(amounts); b != a {
			t.Errorf("%q: %v, then %v", amounts, b, a)
		}
	})
}

func FuzzTotal(f *testing.F) {
	f.Add(int64(0), int64(0), int64(0), int64(0))
	f.Add(int64(math.MaxInt64), int64(math.MinInt64), int64(-1), int64(math.MinInt64))
	f.Add(int64(5), int64(7), int64(0), int64(3))
	f.Fuzz(func(t *testing.T, a, b, c, d int64) {
		cents, quantities := []int64{a, b, c, a}, []int64{c, d, b, d}
		if b, a := before.Total(cents, quantities), after.Total(cents, quantities); b != a {
			t.Errorf("%d %d: %s, then %s", cents, quantities, b, a)
		}
	})
}
