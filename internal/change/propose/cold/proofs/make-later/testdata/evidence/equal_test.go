package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCheck(t *testing.T) {
	lines := []int{3, 4, 5}
	for _, names := range [][]string{nil, {"a"}, {""}, {"a", ""}, {"a", "b", "c"}, {"", "b", ""}} {
		x, y := before.Check(names, lines), after.Check(names, lines)
		if (x == nil) != (y == nil) || x != nil && (x.Text.String() != y.Text.String() || !slices.Equal(x.Lines, y.Lines)) {
			t.Errorf("%q: %v, then %v", names, x, y)
		}
	}
}
