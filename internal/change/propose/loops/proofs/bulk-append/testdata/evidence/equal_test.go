package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestEscape(t *testing.T) {
	var inputs []string
	for n := range 6 {
		for _, c := range []string{"a", "\"", "\\", "\n", "é", "\xff", "\x00"} {
			inputs = append(inputs, strings.Repeat(c, n), strings.Repeat("x", n)+c, c+strings.Repeat("x", n), strings.Repeat("x"+c, n))
		}
	}
	for _, s := range inputs {
		if x, y := before.Escape(nil, s), after.Escape(nil, s); string(x) != string(y) {
			t.Errorf("%q: %q, then %q", s, x, y)
		}
	}
}
