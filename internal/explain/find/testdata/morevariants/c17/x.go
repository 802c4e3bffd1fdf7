package c17

import (
	"sync"
)

// V1 renamed
var bytePool = sync.Pool{New: func() any { return make([]byte, 0, 1024) }}

func shout(s string) string {
	b := bytePool.Get().([]byte)[:0]
	b = append(b, s...)
	b = append(b, '!')
	out := string(b)
	bytePool.Put(b)
	return out
}

// V2 method
type codec struct{ bufs sync.Pool }

func (c *codec) release(p []int) { c.bufs.Put(p) }

// V3 closure
func borrow() func(n int) int {
	var pool sync.Pool
	return func(n int) int {
		b, _ := pool.Get().([]byte)
		b = append(b[:0], make([]byte, n)...)
		defer pool.Put(b)
		return len(b)
	}
}

// V4 generic
type Slices[T any] struct{ p sync.Pool }

func (s *Slices[T]) Put(v []T) { s.p.Put(v[:0]) }

// V5 two functions
type state struct{ a, b, c int }

var states = sync.Pool{New: func() any { return state{} }}

func giveBack(s state) { states.Put(s) }
func use() int {
	s := states.Get().(state)
	s.a++
	giveBack(s)
	return s.a
}
