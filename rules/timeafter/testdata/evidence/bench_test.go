package evidence

import (
	"testing"
	"time"
)

// BenchmarkSum has the numbers ready: the timer is made but not waited for.
func BenchmarkSum(b *testing.B) {
	in := make(chan int, 16)
	b.ReportAllocs()
	for b.Loop() {
		for i := range 16 {
			in <- i
		}
		if sum, ok := Sum(in, 16, 5*time.Second); sum != 120 || !ok {
			b.Fatal(sum, ok)
		}
	}
}
