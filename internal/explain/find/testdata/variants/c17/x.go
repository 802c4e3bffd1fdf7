package c17

import (
	"io"
	"strings"
	"sync"
)

// V1 renamed
var bufs = sync.Pool{New: func() any { return make([]byte, 4096) }}

func cp(dst io.Writer, src io.Reader) {
	b := bufs.Get().([]byte)
	io.CopyBuffer(dst, src, b)
	bufs.Put(b)
}

// V2 method
type pl struct{ p sync.Pool }

func (p *pl) with(f func([]int)) {
	s, _ := p.p.Get().([]int)
	s = s[:0]
	f(s)
	p.p.Put(s)
}

// V3 closure
type pair struct{ a, b [4]int }

var pairs sync.Pool

func putter() func(pair) { return func(v pair) { pairs.Put(v) } }

// V4 generic
type gp[T any] struct{ p sync.Pool }

func (g *gp[T]) put(xs []T) { g.p.Put(xs[:0]) }

// V5 two functions
var strs sync.Pool

func release(s []string) { strs.Put(s) }
func join(xs []string) string {
	t, _ := strs.Get().([]string)
	t = append(t[:0], xs...)
	defer release(t)
	return strings.Join(t, ",")
}
