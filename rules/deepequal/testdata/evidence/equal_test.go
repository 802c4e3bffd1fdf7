package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSame(t *testing.T) {
	lists := [][]string{nil, {}, {""}, {"a"}, {"b"}, {"a", "b"}, {"b", "a"}, make([]string, 0, 3)}
	for _, x := range lists {
		for _, y := range lists {
			if b, a := before.Same(x, y), after.Same(x, y); a != b {
				t.Errorf("%#v, %#v: %v, then %v", x, y, b, a)
			}
		}
	}
}
