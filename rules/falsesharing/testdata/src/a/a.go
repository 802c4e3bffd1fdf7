package a

import "sync/atomic"

type counter struct{ n uint64 }

var ctrs = make([]counter, 64)

func inc(i int) { atomic.AddUint64(&ctrs[i].n, 1) } // want `8 elements of ctrs share a cache line, which each write takes away from the other cores`

type stats struct {
	perWorker [16]slot
	plain     []atomic.Int64
}

type slot struct {
	hits   atomic.Int64
	misses atomic.Int64
}

func (s *stats) hit(worker int) {
	s.perWorker[worker].hits.Add(1) // want `4 elements of s.perWorker share a cache line`
	s.perWorker[worker].misses.Add(0)
}

// Of a type that cannot be padded: no fix.
func (s *stats) add(worker int) func() {
	return func() {
		s.plain[worker].Add(1) // want `8 elements of s.plain share a cache line`
	}
}

// A ring has a writer and a reader.
type ring struct {
	buf  []int
	head atomic.Uint64
	tail atomic.Uint64 // want `head and tail share a cache line, and different functions write them`
}

func (r *ring) push(n int) {
	r.buf[r.head.Load()%8] = n
	r.head.Add(1)
}

func (r *ring) pop() int {
	n := r.buf[r.tail.Load()%8]
	r.tail.Store(r.tail.Load() + 1)
	return n
}

// Literals without names: no fix.
type pair struct{ a, b atomic.Int32 } // want `a and b share a cache line`

func (p *pair) one() { p.a.Add(1) }

func (p *pair) two() { p.b.Add(1) }

type shard[T any] struct {
	value T
	n     atomic.Int64
}

// What follows is left alone.

type padded struct {
	n uint64
	_ [56]byte
}

var apart = make([]padded, 64)

func incApart(i int) { atomic.AddUint64(&apart[i].n, 1) }

var shards [8]shard[int]

func incShard[T any](all []shard[T], i int) { all[i].n.Add(1) }

func fixed() { atomic.AddUint64(&ctrs2[0].n, 1) }

var ctrs2 [4]counter2

type counter2 struct{ n uint64 }

func local(work []func() uint64) []uint64 {
	sums := make([]uint64, len(work))
	for i, f := range work {
		atomic.AddUint64(&sums[i], f())
	}
	return sums
}

type both struct{ sum, count atomic.Int64 }

func (b *both) add(n int64) {
	b.sum.Add(n)
	b.count.Add(1)
}

type flags struct {
	n    atomic.Int64
	done atomic.Bool // is set once
}

func (f *flags) add() { f.n.Add(1) }

func (f *flags) finish() { f.done.Store(true) }

var table [4096]counter3

type counter3 struct{ n atomic.Int64 }

func incTable(i int) { table[i].n.Add(1) } // padding would take much room
