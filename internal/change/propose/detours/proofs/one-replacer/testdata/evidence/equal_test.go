package equal

import (
	"math/rand/v2"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestAttribute(t *testing.T) {
	values := []string{"", "plain", "&", "&&amp;<>\"", "\xff<\x00é>", "&lt;&gt;"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = "&<>\"amplt;gt#34\xc3\xa9 "[r.IntN(18)]
		}
		values = append(values, string(b))
	}
	for _, v := range values {
		if a, b := before.Attribute("n", v), after.Attribute("n", v); a != b {
			t.Errorf("%q: before %q, after %q", v, a, b)
		}
	}
}
