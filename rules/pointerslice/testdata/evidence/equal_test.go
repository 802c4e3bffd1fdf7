package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSum(t *testing.T) {
	for n := range 50 {
		x1, y1 := before.Sum(n)
		if x2, y2 := after.Sum(n); x1 != x2 || y1 != y2 {
			t.Errorf("%d: %d %d, then %d %d", n, x1, y1, x2, y2)
		}
	}
}
