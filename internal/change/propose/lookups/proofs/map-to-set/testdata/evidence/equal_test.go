package equal

import (
	"slices"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestUnique(t *testing.T) {
	for _, s := range []string{"", "a", "a a", "a b a", "c b a b c", "a b c d e f g h i j a j k"} {
		all := strings.Fields(s)
		if a, b := before.Unique(slices.Clone(all)), after.Unique(slices.Clone(all)); !slices.Equal(a, b) {
			t.Errorf("%q: before %q, after %q", s, a, b)
		}
	}
}
