package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestWords(t *testing.T) {
	parts := []string{"", "a", " ", "bc  d", "\n", "ä ö"}
	for _, x := range parts {
		for _, y := range parts {
			for _, z := range parts {
				text := strings.Join([]string{x, y, z}, " ")
				n, longest := before.Words(text)
				if m, long := after.Words(text); m != n || long != longest {
					t.Errorf("%q: %d words of at most %d, then %d of %d", text, n, longest, m, long)
				}
			}
		}
	}
}
