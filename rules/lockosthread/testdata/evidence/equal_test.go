package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzSquares(f *testing.F) {
	for _, b := range [][]byte{nil, {0}, {1, 2, 3}, {255, 255}} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		numbers := make([]int, len(b))
		for i, v := range b {
			numbers[i] = int(v) - 100
		}
		if x, y := before.Squares(numbers), after.Squares(numbers); x != y {
			t.Errorf("%v: %d, then %d", numbers, x, y)
		}
	})
}
