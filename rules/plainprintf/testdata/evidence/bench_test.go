package evidence

import (
	"strings"
	"testing"
)

func BenchmarkList(b *testing.B) {
	names := strings.Fields(strings.Repeat("first second third ", 100))
	b.ReportAllocs()
	for b.Loop() {
		var out strings.Builder
		out.Grow(8 << 10)
		List(&out, names)
	}
}
