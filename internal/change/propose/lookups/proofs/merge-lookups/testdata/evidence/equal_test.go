package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSum(t *testing.T) {
	prices := map[string]int{"a": 1, "b": 20, "": 300}
	for _, names := range [][]string{nil, {"a"}, {"b", "c"}, {"", "a", "a"}} {
		if x, y := before.Sum(names, prices), after.Sum(names, prices); x != y {
			t.Errorf("%q: %d, then %d", names, x, y)
		}
	}
	if x, y := before.Sum([]string{"a"}, nil), after.Sum([]string{"a"}, nil); x != y {
		t.Errorf("no map: %d, then %d", x, y)
	}
}
