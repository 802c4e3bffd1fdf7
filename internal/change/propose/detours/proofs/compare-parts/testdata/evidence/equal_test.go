package equal

import (
	"math/rand/v2"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", ".", "a", "b", "a.", ".a", "\x00", "\xff", "storage", "a long name that no buffer holds"}
	text := func() (s string) {
		for range r.IntN(4) {
			s += pieces[r.IntN(len(pieces))]
		}
		return s
	}
	for range 100_000 {
		name, module := text(), text()
		if b, a := before.Below([]string{name}, module), after.Below([]string{name}, module); b != a {
			t.Fatalf("%q below %q: before %d, after %d", name, module, b, a)
		}
	}
}
