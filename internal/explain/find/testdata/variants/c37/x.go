package c37

import (
	"sync/atomic"
)

// V1 renamed
type slot struct{ hits atomic.Int64 }

var slots [8]slot

func hit(i int) { slots[i].hits.Add(1) }

// V2 method
type stats struct{ in, out atomic.Uint64 }

func (s *stats) reader(c <-chan int) {
	go func() {
		for range c {
			s.in.Add(1)
		}
	}()
}
func (s *stats) writer(c chan<- int) {
	go func() {
		for {
			c <- 1
			s.out.Add(1)
		}
	}()
}

// V3 closure
func counters(n int) func(int) {
	cs := make([]int64, n)
	return func(w int) { atomic.AddInt64(&cs[w], 1) }
}

// V4 generic
type shard[T any] struct{ n atomic.Int64 }

var shards [16]shard[int]

func bump[T any](i int, _ T) { shards[i%16].n.Add(1) }

// V5 two functions
type wk struct{ done uint64 }

var wks = make([]wk, 32)

func inc(p *uint64) { atomic.AddUint64(p, 1) }
func finish(i int)  { inc(&wks[i].done) }
