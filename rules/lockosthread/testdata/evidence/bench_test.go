package evidence

import "testing"

func BenchmarkSquares(b *testing.B) {
	numbers := make([]int, 100)
	for i := range numbers {
		numbers[i] = i
	}
	b.ReportAllocs()
	for b.Loop() {
		if Squares(numbers) != 328350 {
			b.Fatal("wrong sum")
		}
	}
}
