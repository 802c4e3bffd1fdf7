package equal

import (
	"strings"
	"testing"
	"unicode"

	after "evidence/after"
	before "evidence/before"
)

func TestPlain(t *testing.T) {
	for _, name := range []string{"", "none", "NONE", "nOnE", "nöne", "none ", "8bt", "8BT", "8B\xff", "\xff\xfe", "8bt8"} {
		if b, a := before.Plain(name), after.Plain(name); a != b {
			t.Errorf("%q: %v, then %v", name, b, a)
		}
	}
}

// No letter of Unicode is an ASCII letter to one of the two only, but for those that the rule knows.
func TestLetters(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for r := range rune(unicode.MaxRune + 1) {
		lower, upper := unicode.ToLower(r), unicode.ToUpper(r)
		for _, c := range letters {
			fold := strings.EqualFold(string(r), string(c))
			if unicode.IsLower(c) && c != 'i' && c != 's' && fold != (lower == c) {
				t.Errorf("%q and %q: EqualFold and ToLower differ", r, c)
			}
			if unicode.IsUpper(c) && c != 'I' && c != 'K' && fold != (upper == c) {
				t.Errorf("%q and %q: EqualFold and ToUpper differ", r, c)
			}
		}
	}
}
