package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestHide(t *testing.T) {
	parts := []string{"", "@", "a", ".", " ", "é", "\xff", "\uFFFD", "user=me@home.example", "$1"}
	var check func(s string, left int)
	check = func(s string, left int) {
		if x, y := before.Hide(s), after.Hide(s); x != y {
			t.Errorf("%q: %q, then %q", s, x, y)
		}
		if left > 0 {
			for _, p := range parts {
				check(s+p, left-1)
			}
		}
	}
	check("", 4)
}
