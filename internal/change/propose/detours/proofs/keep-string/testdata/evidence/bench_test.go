package evidence

import (
	"strings"
	"testing"
)

func BenchmarkCount(b *testing.B) {
	list := strings.Repeat("colour=green; width = 100; name=some text that is longer\n", 5)
	b.ReportAllocs()
	for b.Loop() {
		if n, length := Count(list, "colour"); n != 5 || length != 25 {
			b.Fatal("wrong count")
		}
	}
}
