package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "a", "a(b,c(d))", "a)", "a(b(c", "((()))", "a(b),b,a|b(c)|" + strings.Repeat("x(", 40) + "|y"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, texts string) {
		var b before.Parser
		var a after.Parser
		for _, text := range strings.Split(texts, "|") {
			d1, n1, err1 := b.Parse(text)
			d2, n2, err2 := a.Parse(text)
			if d1 != d2 || n1 != n2 || (err1 == nil) != (err2 == nil) || err1 != nil && err1.Error() != err2.Error() {
				t.Errorf("%q: %d, %d, %v, then %d, %d, %v", text, d1, n1, err1, d2, n2, err2)
			}
		}
	})
}
