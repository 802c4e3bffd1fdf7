package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestList(t *testing.T) {
	for n := range 40 {
		texts := [2]string{}
		for i, list := range []func(func() (string, bool)) string{before.List, after.List} {
			left := n
			texts[i] = list(func() (string, bool) {
				left--
				return strings.Repeat("x", left+1), left >= 0
			})
		}
		if texts[0] != texts[1] {
			t.Errorf("%d: %q, then %q", n, texts[0], texts[1])
		}
	}
}
