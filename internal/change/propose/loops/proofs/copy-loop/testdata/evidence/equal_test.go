package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestClone(t *testing.T) {
	for _, row := range [][]float64{nil, {}, {1}, {1, 2, 3}} {
		b, a := before.Clone(row), after.Clone(row)
		if !slices.Equal(a, b) || (a == nil) != (b == nil) || cap(a) != cap(b) {
			t.Errorf("%v: before %v, after %v", row, b, a)
		}
		if len(row) > 0 && (&a[0] == &row[0] || &b[0] == &row[0]) {
			t.Error("not a copy")
		}
	}
}
