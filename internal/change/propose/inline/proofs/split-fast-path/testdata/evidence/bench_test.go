package evidence

import "testing"

func BenchmarkSum(b *testing.B) {
	colors := make([]*Color, 256)
	for i := range colors {
		colors[i] = &Color{Index: i}
	}
	b.ReportAllocs()
	for b.Loop() {
		if Sum(colors) != 128*8+128*7 {
			b.Fatal("wrong sum")
		}
	}
}
