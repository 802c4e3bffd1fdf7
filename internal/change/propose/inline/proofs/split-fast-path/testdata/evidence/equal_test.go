package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSum(t *testing.T) {
	for i := -3; i < 12000; i += 7 {
		x, y := &before.Color{Index: i}, &after.Color{Index: i}
		for range 2 {
			if a, b := x.Name(), y.Name(); a != b {
				t.Errorf("%d: %q, then %q", i, a, b)
			}
		}
		if a, b := before.Sum([]*before.Color{x, x}), after.Sum([]*after.Color{y, y}); a != b {
			t.Errorf("%d: %d, then %d", i, a, b)
		}
	}
}
