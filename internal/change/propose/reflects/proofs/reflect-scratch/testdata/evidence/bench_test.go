package evidence

import "testing"

func BenchmarkFill(b *testing.B) {
	texts := []string{"1", "22", "x", "333", "4", "55", "666", "7", "88", "999", "10", "11"}
	var to []int
	b.ReportAllocs()
	for b.Loop() {
		if Fill(&to, texts); len(to) != 11 || to[10] != 11 {
			b.Fatal("wrong list")
		}
	}
}
