package equal

import (
	"math/rand/v2"
	"testing"
	"unicode"

	after "evidence/after"
	before "evidence/before"
)

func TestWord(t *testing.T) {
	lines := []string{"", "a", "a b", "é=", "\xff ", "\xc3\xa9\xc3=", "\xf0\x9f\x98,"}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		lines = append(lines, "A"+string(r)+"=")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := make([]byte, rnd.IntN(12))
		for i := range b {
			b[i] = byte(rnd.IntN(256))
		}
		lines = append(lines, string(b))
	}
	for _, l := range lines {
		if a, b := before.Word(l), after.Word(l); a != b {
			t.Errorf("%q: before %q, after %q", l, a, b)
		}
	}
}
