package evidence

import (
	"testing"
	"time"
)

// BenchmarkSum waits most of its time; what it costs is processor time.
func BenchmarkSum(b *testing.B) {
	in, done, sum := make(chan int), make(chan struct{}), make(chan int)
	go func() { sum <- Sum(in, done) }()
	n := 0
	for b.Loop() {
		time.Sleep(100 * time.Microsecond)
		in <- 1
		n++
	}
	close(done)
	if got := <-sum; got != n {
		b.Fatalf("sum %d of %d", got, n)
	}
}
