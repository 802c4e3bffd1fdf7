package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	for _, s := range []string{"", "a", "a b", "a(b c(d e) f) g", ")", "a(", strings.Repeat("a(b ", 30)} {
		if x, y := old(before.Parse(s)), young(after.Parse(s)); x != y {
			t.Errorf("%q: %s, then %s", s, x, y)
		}
	}
}

func old(n *before.Node) string {
	if n == nil {
		return ""
	}
	return n.Name + "(" + old(n.First) + ")" + old(n.Next)
}

func young(n *after.Node) string {
	if n == nil {
		return ""
	}
	return n.Name + "(" + young(n.First) + ")" + young(n.Next)
}
