package evidence

import "testing"

func BenchmarkSum(b *testing.B) {
	pages := make([]Page, 64)
	for i := range pages {
		pages[i] = Page{ID: uint64(i) + 1000, Flags: 2}
	}
	b.ReportAllocs()
	for b.Loop() {
		if Sum(pages) != 128 {
			b.Fatal("wrong sum")
		}
	}
}
