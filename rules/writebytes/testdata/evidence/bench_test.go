package evidence

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func BenchmarkLines(b *testing.B) {
	lines := strings.SplitAfter(strings.Repeat("a line of some forty bytes in all, or so;", 50), ";")
	w := bufio.NewWriter(io.Discard)
	b.ReportAllocs()
	for b.Loop() {
		if err := Lines(w, lines); err != nil {
			b.Fatal(err)
		}
	}
}
