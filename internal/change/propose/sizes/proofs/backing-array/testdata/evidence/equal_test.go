package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	lines := []string{"", "a", "a b", "a b c", " x"}
	for n := range len(lines) + 1 {
		x, y := before.Parse(lines[:n]), after.Parse(lines[:n])
		if len(x) != n || len(y) != n {
			t.Fatalf("%d lines: %d rows, then %d", n, len(x), len(y))
		}
		for i := range x {
			if *x[i] != before.Row(*y[i]) {
				t.Errorf("line %d: %v, then %v", i, *x[i], *y[i])
			}
		}
	}
}
