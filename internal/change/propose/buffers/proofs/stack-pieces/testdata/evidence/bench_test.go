package evidence

import "testing"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if n, ok := Parse("v1.22.3"); !ok || n != [3]int{1, 22, 3} {
			b.Fatal("wrong numbers")
		}
	}
}
