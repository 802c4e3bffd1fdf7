package evidence

import "testing"

func BenchmarkRecord(b *testing.B) {
	latencies := make([]int64, 1000)
	for i := range latencies {
		latencies[i] = int64(i) * 1_000_003
	}
	r := new(Ring)
	b.ReportAllocs()
	for b.Loop() {
		Record(r, latencies)
	}
	if r.Sum() == 0 {
		b.Fatal("nothing is kept")
	}
}
