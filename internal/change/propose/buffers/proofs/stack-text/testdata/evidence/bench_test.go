package evidence

import "testing"

func BenchmarkFind(b *testing.B) {
	book := Book{"1999": "last"}
	numbers := make([]int, 100)
	for i := range numbers {
		numbers[i] = 1900 + i
	}
	b.ReportAllocs()
	for b.Loop() {
		if book.Find(numbers) != "last" {
			b.Fatal("not found")
		}
	}
}
