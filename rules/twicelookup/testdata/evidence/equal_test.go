package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestTotal(t *testing.T) {
	for _, prices := range []map[string]int{nil, {}, {"a": 1}, {"a": 0, "b": -2, "": 3}} {
		for _, names := range [][]string{nil, {"a"}, {"x"}, {"a", "b", "a", "", "x"}} {
			if b, a := before.Total(prices, names), after.Total(prices, names); a != b {
				t.Errorf("%v %q: %d, then %d", prices, names, b, a)
			}
		}
	}
}
