package equal

import (
	"slices"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestNames(t *testing.T) {
	for _, set := range []map[string]bool{nil, {}, {"": true}, {"a": true}, {"a": true, "b": false, "c": true}} {
		b, a := strings.Split(before.Names(set), ","), strings.Split(after.Names(set), ",")
		slices.Sort(b)
		slices.Sort(a)
		if !slices.Equal(b, a) {
			t.Errorf("%v: %q, then %q", set, b, a)
		}
	}
}
