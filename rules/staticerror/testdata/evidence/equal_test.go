package equal

import (
	"fmt"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	for _, tokens := range [][]string{nil, {""}, {"a"}, {"a", ""}, make([]string, 200)} {
		b, a := before.Parse(tokens), after.Parse(tokens)
		if fmt.Sprintf("%T %v", b, b) != fmt.Sprintf("%T %v", a, a) {
			t.Errorf("%q: %v, then %v", tokens, b, a)
		}
	}
}
