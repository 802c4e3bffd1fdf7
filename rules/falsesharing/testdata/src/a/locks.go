package a

import (
	"sync"
	"sync/atomic"
)

type bucket[K comparable] struct {
	mu   sync.Mutex
	hits int64
}

type buckets[K comparable] struct {
	all  []bucket[K]
	hash func(K) int
}

func (b *buckets[K]) hit(k K) {
	one := &b.all[b.hash(k)%len(b.all)] // want `4 elements of b.all share a cache line`
	one.mu.Lock()
	one.hits++
	one.mu.Unlock()
}

var striped [32]sync.RWMutex

func locked(i int, f func()) {
	striped[i%len(striped)].Lock() // want `2 elements of striped share a cache line`
	defer striped[i%len(striped)].Unlock()
	f()
}

type gauge struct{ n atomic.Int64 }

var gauges [16]gauge

func set(i int) {
	g := &gauges[i] // want `8 elements of gauges share a cache line`
	g.n.Store(1)
}

// What follows is left alone.

type guarded struct {
	read  sync.Mutex
	write sync.Mutex
}

func (g *guarded) reading()  { g.read.Lock() }
func (g *guarded) writing()  { g.write.Lock() }
func (g *guarded) released() { g.read.Unlock() }

var slots [8]struct {
	mu sync.Mutex
	_  [56]byte
}

func slotted(i int) { slots[i].mu.Lock() }

type flushed struct{ mu sync.Mutex }

var toFlush [8]flushed

func flush() {
	for i := range toFlush {
		toFlush[i].mu.Lock()
	}
}

type entry struct{ value *gauge2 }

type gauge2 struct{ n atomic.Int64 }

var entries [8]entry

func far(i int) { entries[i].value.n.Add(1) }
