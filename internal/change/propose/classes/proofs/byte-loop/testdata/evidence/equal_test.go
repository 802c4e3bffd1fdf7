package equal

import (
	"math/rand/v2"
	"testing"
	"unicode"

	after "evidence/after"
	before "evidence/before"
)

func TestValid(t *testing.T) {
	names := []string{"", "X-A", "é", "X-é", "X\xff", "\xc3", "a\x80b", "\xf0\x9f\x98"}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		names = append(names, "A"+string(r))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := make([]byte, rnd.IntN(12))
		for i := range b {
			b[i] = byte(rnd.IntN(256))
		}
		names = append(names, string(b))
	}
	for _, n := range names {
		if a, b := before.Valid(n), after.Valid(n); a != b {
			t.Errorf("%q: before %t, after %t", n, a, b)
		}
	}
}
