package equal

import (
	"slices"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestNames(t *testing.T) {
	parts := []string{"", "a", " a ", ",", "\xff", "ä", "\u00a0b\u2003", "\xe2\x80", "\n"}
	for _, x := range parts {
		for _, y := range parts {
			for _, z := range parts {
				list := strings.Join([]string{x, y, z}, ",")
				if a, b := before.Names([]byte(list)), after.Names([]byte(list)); !slices.Equal(a, b) {
					t.Errorf("%q: %q, then %q", list, a, b)
				}
			}
		}
	}
	if a, b := before.Names(nil), after.Names(nil); !slices.Equal(a, b) {
		t.Errorf("nil: %q, then %q", a, b)
	}
}
