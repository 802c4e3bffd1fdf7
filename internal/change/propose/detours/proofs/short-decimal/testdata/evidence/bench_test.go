package evidence

import "testing"

func BenchmarkSum(b *testing.B) {
	texts := []string{"1299", "4999", "-150", "20000000", "7"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Sum(texts); err != nil {
			b.Fatal(err)
		}
	}
}
