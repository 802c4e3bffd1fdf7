package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzValid(f *testing.F) {
	for _, s := range []string{"", "a", "a-1", "A", "9a", "a\n", "x #tag y", "#", "#ü", "\xff#a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if b, a := before.Valid(s), after.Valid(s); b != a {
			t.Errorf("%q: %v, then %v", s, b, a)
		}
		b, errB := before.Tag(s)
		a, errA := after.Tag(s)
		if b != a || (errB == nil) != (errA == nil) {
			t.Errorf("%q: %q %v, then %q %v", s, b, errB, a, errA)
		}
	})
}
