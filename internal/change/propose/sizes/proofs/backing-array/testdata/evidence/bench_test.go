package evidence

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	lines := strings.Split(strings.Repeat("name and the rest\n", 200), "\n")
	b.ReportAllocs()
	for b.Loop() {
		if len(Parse(lines)) != 201 {
			b.Fatal("wrong number of rows")
		}
	}
}
