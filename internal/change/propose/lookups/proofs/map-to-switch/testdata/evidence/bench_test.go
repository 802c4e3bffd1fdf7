package evidence

import (
	"strings"
	"testing"
)

func BenchmarkCount(b *testing.B) {
	words := strings.Fields(strings.Repeat("func name var if x else return y for i range list switch kind case other ", 20))
	for b.Loop() {
		if Count(words)[1] != 80 {
			b.Fatal("wrong count")
		}
	}
}
