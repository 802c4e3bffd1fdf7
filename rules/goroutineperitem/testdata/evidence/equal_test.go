package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestEnrich(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 100, 1000} {
		r1, r2 := make([]before.Row, n), make([]after.Row, n)
		for i := range n {
			v := uint64(i)*7919 + 1
			r1[i].Value, r2[i].Value = v, v
		}
		out1, out2 := before.Enrich(r1), after.Enrich(r2)
		if len(out1) != n || len(out2) != n {
			t.Fatalf("%d rows: %d, then %d", n, len(out1), len(out2))
		}
		for i := range n {
			if out1[i] != before.Row(out2[i]) {
				t.Errorf("row %d of %d: %v, then %v", i, n, out1[i], out2[i])
			}
		}
	}
}
