package a

import (
	"fmt"
	"strconv"
)

type metric struct {
	name  string
	value any
}

func (m *metric) int() int64 {
	switch v := m.value.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

var bucket = map[string]*metric{}

func inc(name string, delta int64) {
	if m, ok := bucket[name]; ok {
		bucket[name] = &metric{name: name, value: m.int() + delta} // want `the int64 is boxed on the heap, and value holds no other type: give it that one`
		return
	}
	bucket[name] = &metric{name, delta} // want `the int64 is boxed`
}

type cell struct{ content interface{} }

func (c *cell) set(s string) {
	c.content = s // want `the string is boxed on the heap, and content holds no other type`
}

func (c *cell) clear() { c.content = nil }

func closure(c *cell) func(int) {
	return func(n int) { c.content = strconv.Itoa(n) } // want `the string is boxed`
}

type gauge[K comparable] struct {
	key  K
	last any
}

func generic[K comparable](g *gauge[K], f float64) {
	g.last = f // want `the float64 is boxed`
}

func instance(f float64) gauge[string] {
	return gauge[string]{last: f} // want `the float64 is boxed`
}

// What follows is left alone.

type token struct{ value any }

func tokens(n int, s string) []token { return []token{{n}, {value: s}} }

type node struct{ value any }

func nodes(n int, s string) []*node { return []*node{{n}, {value: s}} }

type wrapped struct{ value any }

func wrap(n int, v any) []wrapped { return []wrapped{{n}, {v}} }

type document struct {
	Value any `json:"value"`
}

func encode(n int) document {
	d := document{n}
	d.Value = n + 1
	return d
}

type pointer struct{ to any }

func point(c *cell) pointer { return pointer{c} }

type constant struct{ value any }

func constants() []constant { return []constant{{1}, {2}} }

type read struct{ value any }

func scan(n int) (r read) {
	r.value = n
	fmt.Sscan("1", &r.value)
	return r
}

type pair struct{ a, b any }

func fill(p *pair, n int, f func() (any, bool)) {
	p.a = n
	p.a, _ = f()
}

type typed[T any] struct{ value T }

func store(t *typed[int], n int) { t.value = n }
