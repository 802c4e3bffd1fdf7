package equal

import (
	"maps"
	"strconv"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestMerge(t *testing.T) {
	for n := range 50 {
		defaults, set := map[string]int{}, map[string]int{}
		for i := range n {
			defaults[strconv.Itoa(i)], set[strconv.Itoa(2*i)] = i, -i
		}
		if x, y := before.Merge(defaults, set), after.Merge(defaults, set); !maps.Equal(x, y) {
			t.Errorf("%d settings: %v, then %v", n, x, y)
		}
	}
	if after.Merge(nil, nil) == nil {
		t.Error("nil, where the map was empty")
	}
}
