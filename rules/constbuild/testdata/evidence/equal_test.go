package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestEscape(t *testing.T) {
	for _, s := range []string{"", "plain", "<>&", "&amp;", "\xff<"} {
		if b, a := before.Escape(s), after.Escape(s); a != b {
			t.Errorf("%q: %q, then %q", s, b, a)
		}
	}
}
