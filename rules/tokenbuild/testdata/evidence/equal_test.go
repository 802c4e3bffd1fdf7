package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", " ", "a", "a b", `a "b c" d`, `"`, "ä\xffö", "\u2028x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if b, a := before.Tokens(s), after.Tokens(s); !slices.Equal(b, a) {
			t.Errorf("%q: %q, then %q", s, b, a)
		}
	})
}
