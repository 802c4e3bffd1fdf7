package evidence

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	long := strings.Repeat("1", 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(long); err == nil {
			b.Fatal("no error")
		}
	}
}
