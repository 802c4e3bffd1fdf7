package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestList(t *testing.T) {
	for n := range 40 {
		var x []before.Attr
		var y []after.Attr
		for i := range n {
			x = append(x, before.Attr{Name: strings.Repeat("n", i), Value: strings.Repeat("ä", n)})
			y = append(y, after.Attr(x[i]))
		}
		if a, b := before.List(x), after.List(y); a != b {
			t.Errorf("%d attributes: %q, then %q", n, a, b)
		}
	}
}
