package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	for _, line := range []string{"", "2026", "2026-", "2026-11", "2026-11-", "2026-11-28", "2026-11-28 text", "-1", "x", "0-0-0", "12-1-1-1"} {
		a, b := before.Parse(line), after.Parse(line)
		if *a != before.Date(*b) {
			t.Errorf("%q: %v, then %v", line, *a, *b)
		}
		if c := after.Parse(line); c == b {
			t.Errorf("%q: two calls return the same value", line)
		}
		lines := []string{line, "2026-11-28 more"}
		for month := range 13 {
			if a, b := before.Sum(lines, month), after.Sum(lines, month); a != b {
				t.Errorf("%q, %d: %d, then %d", line, month, a, b)
			}
		}
	}
}
