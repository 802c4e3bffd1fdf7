package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzNames(f *testing.F) {
	for _, s := range []string{"", "acct:", "acct", "\nacct:", "x.json", "x.json\n", "an error", "/", "/\n", "\n/", "\xff/", "err\xffor", "e\xccerror", "/\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := [4]bool{before.Account(s), before.Data([]byte(s)), before.Failed(s), before.Below(s)}
		a := [4]bool{after.Account(s), after.Data([]byte(s)), after.Failed(s), after.Below(s)}
		if a != b {
			t.Errorf("%q: %v, then %v", s, b, a)
		}
	})
}
