package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestList(t *testing.T) {
	for _, names := range [][]string{nil, {""}, {"a"}, {"a", "100%", "%s\n"}} {
		var b, a strings.Builder
		before.List(&b, names)
		after.List(&a, names)
		if b.String() != a.String() {
			t.Errorf("%q: %q, then %q", names, b.String(), a.String())
		}
	}
}
