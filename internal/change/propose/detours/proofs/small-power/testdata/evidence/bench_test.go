package evidence

import "testing"

var deviation float64

func BenchmarkDeviation(b *testing.B) {
	data := make([]float64, 1000)
	for i := range data {
		data[i] = float64(i*i%997) / 7
	}
	b.ReportAllocs()
	for b.Loop() {
		deviation = Deviation(data)
	}
}
