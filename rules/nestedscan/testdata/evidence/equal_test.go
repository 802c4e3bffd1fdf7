package equal

import (
	"reflect"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzAccounts(f *testing.F) {
	f.Add("", "")
	f.Add("a b c", "b d")
	f.Add("a b a", "a a")
	f.Add("x", "x y z x")
	f.Fuzz(func(t *testing.T, known, accounts string) {
		k, a := strings.Fields(known), strings.Fields(accounts)
		if x, y := before.Unknown(k, a), after.Unknown(k, a); !reflect.DeepEqual(x, y) {
			t.Errorf("%q, then %q", x, y)
		}
		if x, y := before.Duplicates(a), after.Duplicates(a); x != y {
			t.Errorf("duplicates %v, then %v", x, y)
		}
	})
}
