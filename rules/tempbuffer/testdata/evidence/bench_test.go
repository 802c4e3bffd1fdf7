package evidence

import (
	"strings"
	"testing"
)

func BenchmarkLines(b *testing.B) {
	b.ReportAllocs()
	text := strings.Repeat("a line of some words\n", 50)
	for b.Loop() {
		if n, err := Lines(strings.NewReader(text)); n != 50 || err != nil {
			b.Fatal(n, err)
		}
	}
}
