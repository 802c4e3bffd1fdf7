package equal

import (
	"reflect"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzTotals(f *testing.F) {
	for _, n := range []int{0, 1, 2, 9, 1000} {
		f.Add(n, int64(3))
	}
	f.Fuzz(func(t *testing.T, n int, cents int64) {
		if n < 0 || n > 5000 {
			t.Skip()
		}
		b, a := make([]before.Order, n), make([]after.Order, n)
		for i := range n {
			b[i] = before.Order{ID: i, Cents: cents - int64(i), Count: int64(i)}
			a[i] = after.Order(b[i])
		}
		if x, y := before.Totals(b), after.Totals(a); !reflect.DeepEqual(x, y) {
			t.Errorf("%v, then %v", x, y)
		}
		if x, y := before.Largest(b), after.Largest(a); x != y {
			t.Errorf("largest %d, then %d", x, y)
		}
	})
}
