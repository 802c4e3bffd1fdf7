package evidence

import "testing"

func BenchmarkCheck(b *testing.B) {
	names, lines := make([]string, 20), make([]int, 20)
	for i := range names {
		names[i], lines[i] = "name", i
	}
	b.ReportAllocs()
	for b.Loop() {
		if Check(names, lines) != nil {
			b.Fatal("something is wrong")
		}
	}
}
