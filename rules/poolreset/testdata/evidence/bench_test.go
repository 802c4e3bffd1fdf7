package evidence

import (
	"strings"
	"testing"
)

// sink copies what it is given, as a connection would.
type sink struct{ buf [64 << 10]byte }

func (s *sink) Write(p []byte) (int, error) {
	copy(s.buf[:], p)
	return len(p), nil
}

func BenchmarkLines(b *testing.B) {
	text := strings.Repeat("x", 100)
	out := new(sink)
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter()
		for range 1000 {
			if err := w.Line(out, text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
