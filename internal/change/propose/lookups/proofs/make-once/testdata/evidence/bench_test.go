package evidence

import "testing"

func BenchmarkEscape(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if Escape("id", "7") != "7" || Escape("name", "a < b") != "a &lt; b" {
			b.Fatal("wrong text")
		}
	}
}
