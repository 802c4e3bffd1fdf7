package evidence

import (
	"slices"
	"strings"
	"testing"
)

func BenchmarkSame(b *testing.B) {
	x := strings.Fields(strings.Repeat("region zone host ", 5))
	y := slices.Clone(x)
	b.ReportAllocs()
	for b.Loop() {
		if !Same(x, y) {
			b.Fatal("they are the same")
		}
	}
}
