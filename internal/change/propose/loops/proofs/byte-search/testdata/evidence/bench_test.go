package evidence

import (
	"strings"
	"testing"
)

func BenchmarkLines(b *testing.B) {
	text := []byte(strings.Repeat("a line of ordinary length, as it is in a log or in a source file\n", 50))
	b.ReportAllocs()
	for b.Loop() {
		if n, _ := Lines(text); n != 50 {
			b.Fatal(n)
		}
	}
}
