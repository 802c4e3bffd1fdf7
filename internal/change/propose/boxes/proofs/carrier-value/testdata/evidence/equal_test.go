package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestRender(t *testing.T) {
	for _, m := range []map[string]string{nil, {}, {"a": "1"}, {"a": "1", "b": "2"}} {
		for _, words := range [][]string{nil, {"a"}, {"b", "a", "c", "b"}} {
			var x, y strings.Builder
			before.Render(&x, words, m)
			after.Render(&y, words, m)
			if x.String() != y.String() {
				t.Errorf("%v of %v: %q, then %q", words, m, x.String(), y.String())
			}
		}
	}
}
