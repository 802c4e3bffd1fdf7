package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestIsWord(t *testing.T) {
	for c := range 256 {
		if x, y := before.IsWord(byte(c)), after.IsWord(byte(c)); x != y {
			t.Errorf("%q: %v, then %v", c, x, y)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("one_1 two, \xff3")
	f.Fuzz(func(t *testing.T, text string) {
		if x, y := before.Words(text), after.Words(text); x != y {
			t.Errorf("%q: %d, then %d", text, x, y)
		}
	})
}
