package evidence

import "testing"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("12345"); err == nil {
			b.Fatal("no error")
		}
	}
}
