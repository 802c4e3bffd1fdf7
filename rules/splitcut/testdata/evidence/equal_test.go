package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzRoute(f *testing.F) {
	for _, s := range []string{"", "/", "a", "a/", "/a", "a/b", "a/b/c", "//"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s1, v1, ok1 := before.Route(s)
		s2, v2, ok2 := after.Route(s)
		if s1 != s2 || v1 != v2 || ok1 != ok2 {
			t.Errorf("%q: %q %q %v, then %q %q %v", s, s1, v1, ok1, s2, v2, ok2)
		}
	})
}
