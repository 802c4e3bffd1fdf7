package evidence

import (
	"strconv"
	"testing"
)

func BenchmarkDistinct(b *testing.B) {
	lines := make([][]string, 200)
	for i := range lines {
		for j := range 24 {
			lines[i] = append(lines[i], strconv.Itoa(i*j%97))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if Distinct(lines)[1] != 24 {
			b.Fatal("words are missing")
		}
	}
}
