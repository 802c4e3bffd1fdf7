package evidence

import (
	"strings"
	"testing"
)

func BenchmarkHead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var out strings.Builder
		out.Grow(1 << 10)
		for range 10 {
			Head(&out, "Content-Type", "text/plain; charset=utf-8")
		}
	}
}
