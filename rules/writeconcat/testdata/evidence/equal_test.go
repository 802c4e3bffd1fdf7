package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestHead(t *testing.T) {
	for _, h := range [][2]string{{"", ""}, {"a", ""}, {"", "b"}, {"Name", strings.Repeat("x", 100)}} {
		var b, a strings.Builder
		before.Head(&b, h[0], h[1])
		after.Head(&a, h[0], h[1])
		if b.String() != a.String() {
			t.Errorf("%q: %q, then %q", h, b.String(), a.String())
		}
	}
}
