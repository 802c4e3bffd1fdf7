package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestEscape(t *testing.T) {
	for _, field := range []string{"id", "name", "", "zone"} {
		for _, s := range []string{"", "a", "<a&b>", "&amp;", "é<"} {
			if a, b := before.Escape(field, s), after.Escape(field, s); a != b {
				t.Errorf("%s, %q: %q, then %q", field, s, a, b)
			}
		}
	}
}
