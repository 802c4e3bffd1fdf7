package evidence

import (
	"strconv"
	"testing"
)

func BenchmarkSum(b *testing.B) {
	b.ReportAllocs()
	names := make([]string, 200_000)
	for i := range names {
		names[i] = strconv.Itoa(i * 7919 % len(names))
	}
	t := New(names)
	for b.Loop() {
		if t.Sum() == 0 {
			b.Fatal("no sum")
		}
	}
}
