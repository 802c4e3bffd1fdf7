package c30

import ()

type sym struct {
	off  uint32
	kind uint8
}

// V1 renamed
var symbols = map[string]*sym{}

func totalOff() (t uint64) {
	for _, s := range symbols {
		t += uint64(s.off)
	}
	return t
}

// V2 method
type table struct{ entries map[int]*sym }

func (t *table) add(i int, o uint32) { t.entries[i] = &sym{off: o} }
func (t *table) sum() (n uint32) {
	for _, e := range t.entries {
		n += e.off
	}
	return n
}

// V3 closure
func collector() (func(string, uint32), func() uint32) {
	m := map[string]*sym{}
	return func(k string, o uint32) { m[k] = &sym{off: o} }, func() (n uint32) {
		for _, s := range m {
			n += s.off
		}
		return n
	}
}

// V4 generic, missed
type entry[V any] struct {
	v    V
	hits int
}
type lookups[K comparable, V any] struct{ m map[K]*entry[V] }

func (l *lookups[K, V]) put(k K, v V) { l.m[k] = &entry[V]{v: v} }
func (l *lookups[K, V]) hits() (n int) {
	for _, e := range l.m {
		n += e.hits
	}
	return n
}

// V5 two functions
var names = map[string]*sym{}

func newSym(o uint32) *sym      { return &sym{off: o} }
func define(n string, o uint32) { names[n] = newSym(o) }
func kinds() (n int) {
	for _, s := range names {
		n += int(s.kind)
	}
	return n
}
