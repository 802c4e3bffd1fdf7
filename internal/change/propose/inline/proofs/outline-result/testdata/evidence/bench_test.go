package evidence

import (
	"fmt"
	"testing"
)

func BenchmarkSum(b *testing.B) {
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("2026-%d-28 an entry of the log", i%12+1))
	}
	b.ReportAllocs()
	for b.Loop() {
		if Sum(lines, 11) != 8 {
			b.Fatal("wrong sum")
		}
	}
}
