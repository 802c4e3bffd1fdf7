package equal

import (
	"strings"
	"testing"
	"unicode/utf8"

	after "evidence/after"
	before "evidence/before"
)

func TestTokens(t *testing.T) {
	texts := []string{"", "a", "(a+b)*_c1 >= é", "\xff\x00\x80", "\u2028x\U0010ffff"}
	for r := range rune(utf8.MaxRune + 2) {
		if r < 0x900 || r%251 == 0 || r > utf8.MaxRune-4 {
			texts = append(texts, "x"+string(r)+"y")
		}
	}
	for _, text := range texts {
		a, b := before.Tokens(nil, text), after.Tokens(nil, text)
		if len(a) != len(b) {
			t.Fatalf("%q: before %v, after %v", text, a, b)
		}
		for i := range a {
			if a[i] != before.Token(b[i]) || !strings.Contains(text, a[i].Text) && utf8.ValidString(text) {
				t.Errorf("%q: before %q, after %q", text, a[i], b[i])
			}
		}
	}
}
