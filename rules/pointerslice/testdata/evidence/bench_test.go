package evidence

import "testing"

func BenchmarkSum(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if x, y := Sum(1000); x+y != 0 {
			b.Fatal(x, y)
		}
	}
}
