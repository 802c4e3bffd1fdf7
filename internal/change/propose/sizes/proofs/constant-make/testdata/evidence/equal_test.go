package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestReverse(t *testing.T) {
	for _, addr := range []string{"", "::", "2001:db8::68", "192.0.2.1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1.2.3"} {
		if x, y := before.Reverse(addr), after.Reverse(addr); x != y {
			t.Errorf("%q: %q, then %q", addr, x, y)
		}
	}
}
