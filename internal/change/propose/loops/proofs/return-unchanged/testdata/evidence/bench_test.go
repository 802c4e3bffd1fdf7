package evidence

import "testing"

func BenchmarkEscape(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if s := Escape("a text of the usual length, with nothing to escape"); len(s) != 50 {
			b.Fatal("wrong length")
		}
	}
}
