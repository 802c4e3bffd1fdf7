package evidence

import (
	"bytes"
	"testing"
)

var scanner = &Scanner{Text: bytes.Repeat([]byte("\n\t\t    "), 200)}

func BenchmarkSkip(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		scanner.Pos = 0
		scanner.Skip()
	}
}
