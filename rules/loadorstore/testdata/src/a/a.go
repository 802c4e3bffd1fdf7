package a

import (
	"sync"
	"sync/atomic"
)

type counters struct {
	all  sync.Map
	name string
}

type entry struct {
	mu sync.Mutex
	n  int
}

func newEntry() *entry { return new(entry) }

func (c *counters) add(key string) {
	v, _ := c.all.LoadOrStore(key, new(atomic.Int64)) // want `new\(atomic.Int64\) is allocated also where the map has a value; Load first`
	v.(*atomic.Int64).Add(1)
	func() {
		e, loaded := c.all.LoadOrStore(c.name, &entry{n: len(key)}) // want `&entry\{n: len\(key\)\} is allocated`
		if loaded {
			e.(*entry).n++
		}
	}()
}

func seen[K comparable](m *sync.Map, k K, n int) bool {
	_, loaded := m.LoadOrStore(k, make(chan struct{})) // want `make\(chan struct\{\}\) is allocated`
	_, there := m.LoadOrStore(k, make([]int, n))       // want `make\(\[\]int, n\) is allocated`
	a, _ := m.LoadOrStore(k, newEntry())               // want `newEntry\(\) is allocated`
	v, ok := m.LoadOrStore("all", []K{k})              // want `\[\]K\{k\} is allocated`
	if v, _ := m.LoadOrStore(k, &entry{}); v != nil {  // want `&entry\{\} is allocated`
		return a != nil
	}
	var e any
	e, ok = m.LoadOrStore(k, &entry{}) // want `&entry\{\} is allocated`
	return loaded && there && ok && v != nil && e != nil
}

// What follows is left alone.

type own struct{}

func (own) LoadOrStore(k, v any) (any, bool) { return v, true }

func alone(m *sync.Map, o own, e *entry) {
	m.LoadOrStore("a", e)
	m.LoadOrStore("a", struct{}{})
	m.LoadOrStore("a", true)
	m.LoadOrStore("a", 1)
	o.LoadOrStore("a", new(entry))
	m.Store("a", new(entry))
	if _, ok := m.Load("a"); !ok {
		m.LoadOrStore("a", new(entry))
	}
}
