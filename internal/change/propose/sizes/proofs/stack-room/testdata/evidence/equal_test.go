package equal

import (
	"bytes"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestMarshal(t *testing.T) {
	for n := range 100 {
		var old []before.Sample
		var changed []after.Sample
		for i := range n {
			at, value := int64(i*i*i), float64(i)*1.7
			old, changed = append(old, before.Sample{At: at, Value: value}), append(changed, after.Sample{At: at, Value: value})
		}
		want, got := before.Marshal(old), after.Marshal(changed)
		if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%d: %q, then %q", n, want, got)
		}
		kept := append([]byte(nil), got...)
		after.Marshal(changed)
		if !bytes.Equal(got, kept) {
			t.Errorf("%d: another call changed it", n)
		}
	}
}
