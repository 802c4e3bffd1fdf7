package equal

import (
	"bytes"
	"math"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestWrite(t *testing.T) {
	names := []string{"", "x", "a b", "%d", "\"quoted\"", "\xff\x00", "päö\u2028", "'`\\"}
	counts := []int64{0, 1, -1, 9, 10, 1000, math.MaxInt64, math.MinInt64}
	for range 2 {
		var x, y bytes.Buffer
		var old []before.Row
		var now []after.Row
		for i, name := range names {
			old = append(old, before.Row{Name: name, Count: counts[i], Done: i%2 == 0})
			now = append(now, after.Row(old[i]))
		}
		before.Write(&x, old)
		after.Write(&y, now)
		if !bytes.Equal(x.Bytes(), y.Bytes()) {
			t.Errorf("before:\n%s\nafter:\n%s", x.Bytes(), y.Bytes())
		}
	}
}
