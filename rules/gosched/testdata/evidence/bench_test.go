package evidence

import "testing"

func BenchmarkNorm(b *testing.B) {
	data := make([]float64, 100_000)
	for i := range data {
		data[i] = float64(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if Norm(data) == 0 {
			b.Fatal("nothing")
		}
	}
}
