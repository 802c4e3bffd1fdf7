package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzRecord(f *testing.F) {
	f.Add(int64(0), 0)
	f.Add(int64(255), 3)
	f.Add(int64(-1<<63), 1024)
	f.Add(int64(1<<40), 3000)
	f.Fuzz(func(t *testing.T, first int64, n int) {
		if n < 0 || n > 5000 {
			t.Skip()
		}
		latencies := make([]int64, n)
		for i := range latencies {
			latencies[i] = first + int64(i)*31
		}
		b, a := new(before.Ring), new(after.Ring)
		before.Record(b, latencies)
		after.Record(a, latencies)
		if x, y := b.Sum(), a.Sum(); x != y {
			t.Errorf("%d, then %d", x, y)
		}
	})
}
