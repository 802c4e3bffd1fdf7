package evidence

import (
	"strings"
	"testing"
)

func BenchmarkWords(b *testing.B) {
	text := strings.Repeat("some words and\nothers # no more\n", 8)
	b.ReportAllocs()
	for b.Loop() {
		if words, lines := Words(text); words != 32 || lines != 16 {
			b.Fatal(words, lines)
		}
	}
}
