package evidence

import "testing"

func BenchmarkPositive(b *testing.B) {
	amounts := []string{"1234.56", "0.01", "999999.99", "100"}
	b.ReportAllocs()
	for b.Loop() {
		if !Positive(amounts) {
			b.Fatal("not positive")
		}
	}
}

func BenchmarkTotal(b *testing.B) {
	cents, quantities := make([]int64, 100), make([]int64, 100)
	for i := range cents {
		cents[i], quantities[i] = int64(i)*1_000_003, int64(i)<<40
	}
	b.ReportAllocs()
	for b.Loop() {
		if Total(cents, quantities) == "" {
			b.Fatal("no total")
		}
	}
}
