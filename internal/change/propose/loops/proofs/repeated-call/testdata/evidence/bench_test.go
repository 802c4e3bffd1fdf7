package evidence

import "testing"

func BenchmarkName(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if Name("http") != "HTTP" || Name("url") != "URL" {
			b.Fatal("wrong name")
		}
	}
}
