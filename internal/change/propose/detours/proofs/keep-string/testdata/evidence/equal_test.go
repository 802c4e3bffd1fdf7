package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCount(t *testing.T) {
	parts := []string{"", "a=1", " a = 2 ", "a", "=", "a=-", "\xff=\xfe", "ä=ö", "\u00a0a=3\u2003", ";", "\n"}
	for _, x := range parts {
		for _, y := range parts {
			for _, z := range parts {
				list := strings.Join([]string{x, y, z}, ";")
				for _, name := range []string{"a", "", "\xff", "ä"} {
					n, length := before.Count(list, name)
					if m, size := after.Count(list, name); m != n || size != length {
						t.Errorf("%q in %q: %d with %d bytes, then %d with %d", name, list, n, length, m, size)
					}
				}
			}
		}
	}
}
