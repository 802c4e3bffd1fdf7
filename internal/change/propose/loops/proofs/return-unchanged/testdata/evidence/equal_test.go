package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestEscape(t *testing.T) {
	pieces := []string{"", "plain", `"`, `\`, "ä", "\xff", "\xe2\x82", "世", "\x7f", "\x80"}
	for _, x := range pieces {
		for _, y := range pieces {
			for _, z := range pieces {
				if want, got := before.Escape(x+y+z), after.Escape(x+y+z); got != want {
					t.Errorf("%q: %q, then %q", x+y+z, want, got)
				}
			}
		}
	}
}
