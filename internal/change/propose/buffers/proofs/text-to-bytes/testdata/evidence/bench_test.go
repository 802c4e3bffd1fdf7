package evidence

import "testing"

func BenchmarkQuery(b *testing.B) {
	keys, values := []string{"page", "size", "sort", "user"}, []int{17, 100, 3, 123456}
	b.ReportAllocs()
	for b.Loop() {
		if len(Query(keys, values)) != 35 {
			b.Fatal("wrong length")
		}
	}
}
