package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestLines(t *testing.T) {
	for _, text := range []string{"", "\n", "a", "a\n", "\na", "a\n\nbcd", strings.Repeat("x", 99) + "\n" + strings.Repeat("y", 200)} {
		n, long := before.Lines([]byte(text))
		if m, wide := after.Lines([]byte(text)); m != n || wide != long {
			t.Errorf("%q: %d, %d, then %d, %d", text, n, long, m, wide)
		}
	}
}
