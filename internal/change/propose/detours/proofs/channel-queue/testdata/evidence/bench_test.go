package evidence

import (
	"strings"
	"testing"
)

func BenchmarkWords(b *testing.B) {
	text := strings.TrimSpace(strings.Repeat("some words of a text ", 20))
	b.ReportAllocs()
	for b.Loop() {
		if n, longest := Words(text); n != 100 || longest != 5 {
			b.Fatal("wrong count")
		}
	}
}
