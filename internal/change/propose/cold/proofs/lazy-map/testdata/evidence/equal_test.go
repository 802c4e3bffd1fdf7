package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestScope(t *testing.T) {
	b, a := before.New(nil), after.New(nil)
	for i, name := range []string{"x", "y", "x", ""} {
		if i%2 == 0 {
			b, a = before.New(b), after.New(a)
		}
		b.Define(name, i)
		a.Define(name, i)
		for _, asked := range []string{"x", "y", "z", ""} {
			if b.Lookup(asked) != a.Lookup(asked) {
				t.Errorf("%q: before %d, after %d", asked, b.Lookup(asked), a.Lookup(asked))
			}
		}
	}
}
