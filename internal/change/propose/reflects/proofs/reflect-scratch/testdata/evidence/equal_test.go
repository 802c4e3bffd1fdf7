package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestFill(t *testing.T) {
	for _, texts := range [][]string{nil, {"1"}, {"x"}, {"1", "x", "2"}, {"x", "", "3", "4"}} {
		var a, b []int
		before.Fill(&a, texts)
		after.Fill(&b, texts)
		if !slices.Equal(a, b) {
			t.Errorf("%q: %v, then %v", texts, a, b)
		}
		var s, u []string
		before.Fill(&s, texts)
		after.Fill(&u, texts)
		if !slices.Equal(s, u) {
			t.Errorf("%q: %q, then %q", texts, s, u)
		}
		var x, y []any
		before.Fill(&x, texts)
		after.Fill(&y, texts)
		if !slices.Equal(x, y) {
			t.Errorf("%q: %v, then %v", texts, x, y)
		}
	}
}
