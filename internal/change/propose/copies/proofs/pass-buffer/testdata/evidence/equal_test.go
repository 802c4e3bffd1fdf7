package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestPrint(t *testing.T) {
	a, b := &after.Element{Name: "root"}, &before.Element{Name: "root"}
	for i := range 200 {
		name := string(make([]byte, i%70))
		a = &after.Element{Name: name, Size: i, Sub: []*after.Element{a, {Name: name}}}
		b = &before.Element{Name: name, Size: i, Sub: []*before.Element{b, {Name: name}}}
		if x, y := after.Print(a), before.Print(b); string(x) != string(y) {
			t.Fatalf("%d: %q, then %q", i, y, x)
		}
	}
}
