package equal

import (
	"reflect"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	for _, s := range []string{"", "#", "name", "name # none", " name  one", "name one two # three", strings.Repeat("word ", 40)} {
		x, y := before.Parse(s), after.Parse(s)
		if x.Name != y.Name || !reflect.DeepEqual(x.Words, y.Words) || (x.Words == nil) != (y.Words == nil) {
			t.Errorf("%q: %v, then %v", s, x, y)
		}
	}
}
