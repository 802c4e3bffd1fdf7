package equal

import (
	"bytes"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestMarshal(t *testing.T) {
	for n := range 40 {
		var old []before.Field
		var changed []after.Field
		for i := range n {
			name, value := strings.Repeat("x", i), strings.Repeat("y", 7*i)
			old, changed = append(old, before.Field{Name: name, Value: value}), append(changed, after.Field{Name: name, Value: value})
		}
		want, got := before.Marshal(old), after.Marshal(changed)
		if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%d: %q, then %q", n, want, got)
		}
	}
}
