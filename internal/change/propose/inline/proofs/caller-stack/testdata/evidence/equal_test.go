package equal

import (
	"slices"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// Short names fit in the room that there is, and long ones grow out of it.
func TestLabels(t *testing.T) {
	var kept [][]int
	for _, name := range []string{"", ".", "a", "a.", "a.b.", "www.example.org", `a\.b.c`, `a\046.b.c`, "a.b c.d", strings.Repeat("a.", 40)} {
		x, y := before.Labels(name), after.Labels(name)
		if !slices.Equal(x, y) || (x == nil) != (y == nil) {
			t.Errorf("%q: before %v, after %v", name, x, y)
		}
		kept = append(kept, y)
		for _, other := range []string{".", "b.", "x.a.b.", strings.Repeat("a.", 50)} {
			if x, y := before.Common(name, other), after.Common(name, other); x != y {
				t.Errorf("%q and %q: before %d, after %d", name, other, x, y)
			}
		}
	}
	if !slices.Equal(kept[4], []int{0, 2}) || !slices.Equal(kept[5], []int{0, 4, 12}) {
		t.Errorf("what was kept is another now: %v and %v", kept[4], kept[5])
	}
}
