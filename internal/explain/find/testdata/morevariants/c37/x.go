package c37

import (
	"sync/atomic"
)

// V1 renamed
type hit struct{ c int64 }

var hits = make([]hit, 32)

func count(worker int) { atomic.AddInt64(&hits[worker].c, 1) }

// V2 method
type shards struct{ n [16]atomic.Uint64 }

func (s *shards) inc(i int) { s.n[i].Add(1) }

// V3 closure
func counters(n int) func(int) {
	cs := make([]atomic.Int64, n)
	return func(i int) { cs[i].Add(1) }
}

// V4 generic
type cell[T any] struct {
	n   atomic.Int64
	tag T
}
type bank[T any] struct{ cells []cell[int32] }

func (b *bank[T]) add(i int) { b.cells[i].n.Add(1) }

// V5 two functions
var perCPU [64]uint64

func bump(p *uint64) { atomic.AddUint64(p, 1) }
func mark(cpu int)   { bump(&perCPU[cpu]) }
