package evidence

import "testing"

var row = make([]float64, 200)

var clone []float64

func BenchmarkClone(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		clone = Clone(row)
	}
}
