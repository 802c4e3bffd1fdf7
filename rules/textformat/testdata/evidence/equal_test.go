package equal

import (
	"math"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSum(t *testing.T) {
	var text, binary []byte
	for _, n := range []int32{0, 1, -1, 12345678, math.MaxInt32, math.MinInt32} {
		text, binary = before.Append(text, n), after.Append(binary, n)
		if b, a := before.Sum(text), after.Sum(binary); a != b {
			t.Errorf("up to %d: %d, then %d", n, b, a)
		}
	}
}
