package evidence

import "testing"

func BenchmarkTotal(b *testing.B) {
	b.ReportAllocs()
	amounts := make([]int, 100)
	for b.Loop() {
		if _, err := Total(1000, amounts); err != nil {
			b.Fatal(err)
		}
	}
}
