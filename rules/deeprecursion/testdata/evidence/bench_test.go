package evidence

import (
	"strings"
	"testing"
)

func BenchmarkDepths(b *testing.B) {
	var texts []string
	for n := range 64 {
		texts = append(texts, strings.Repeat("(", n)+strings.Repeat(")", n))
	}
	b.ReportAllocs()
	for b.Loop() {
		if got := Depths(texts); got[63] != 63 {
			b.Fatal(got)
		}
	}
}
