package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzPick(f *testing.F) {
	for _, s := range []string{"", ",", "a", "a,b", "a,b,a", "b,a,,a", "ä,a,ä"} {
		f.Add(s, "a", "b")
		f.Add(s, "", "a")
	}
	f.Fuzz(func(t *testing.T, header, first, second string) {
		names := strings.Split(header, ",")
		if header == "" {
			names = nil
		}
		a1, b1, ok1 := before.Pick(names, first, second)
		a2, b2, ok2 := after.Pick(names, first, second)
		if a1 != a2 || b1 != b2 || ok1 != ok2 {
			t.Errorf("%q %q %q: %d %d %v, then %d %d %v", names, first, second, a1, b1, ok1, a2, b2, ok2)
		}
	})
}
