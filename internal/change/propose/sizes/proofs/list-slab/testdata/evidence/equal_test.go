package equal

import (
	"reflect"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	var many strings.Builder
	for i := range 40 {
		many.WriteString(string(rune('a'+i%26)) + ": value " + strings.Repeat("x", i) + "\n")
	}
	for _, s := range []string{"", "a", "a: 1", "a: 1\na: 2\nb: 3\na: 4\n", many.String()} {
		x, y := before.Parse(s), after.Parse(s)
		if !reflect.DeepEqual(x, y) {
			t.Errorf("%q: %v, then %v", s, x, y)
		}
		for k := range x {
			if cap(x[k]) != cap(y[k]) {
				t.Errorf("%q: room for %d, then %d", s, cap(x[k]), cap(y[k]))
			}
			x[k], y[k] = append(x[k], "more"), append(y[k], "more")
		}
		if !reflect.DeepEqual(x, y) {
			t.Errorf("%q: %v when more is added, then %v", s, x, y)
		}
	}
}
