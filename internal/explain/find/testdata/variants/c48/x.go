package c48

import (
	"fmt"
	"net/http"
)

// V1 renamed
type tree struct {
	kids []*tree
	w    int
}

func weight(t *tree) int {
	s := t.w
	for _, k := range t.kids {
		s += weight(k)
	}
	return s
}
func all(ts []*tree) chan int {
	out := make(chan int)
	for _, t := range ts {
		go func() { out <- weight(t) }()
	}
	return out
}

// V2 method
type dir struct {
	sub []*dir
	n   int
}

func (d *dir) count() int {
	c := d.n
	for _, s := range d.sub {
		c += s.count()
	}
	return c
}
func (d *dir) serve(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, d.count()) }

// V3 closure
func depth(root *tree, res chan<- int) {
	go func() {
		var visit func(*tree) int
		visit = func(t *tree) int {
			m := 0
			for _, k := range t.kids {
				m = max(m, visit(k))
			}
			return m + 1
		}
		res <- visit(root)
	}()
}

// V4 generic
type gnode[T any] struct {
	l, r *gnode[T]
	v    T
}

func fold[T any](n *gnode[T], f func(T)) {
	if n == nil {
		return
	}
	fold(n.l, f)
	f(n.v)
	fold(n.r, f)
}
func run[T any](ns []*gnode[T], f func(T)) {
	for _, n := range ns {
		go fold(n, f)
	}
}

// V5 two functions
func evenT(t *tree) int {
	s := 0
	for _, k := range t.kids {
		s += oddT(k)
	}
	return s
}
func oddT(t *tree) int {
	s := 1
	for _, k := range t.kids {
		s += evenT(k)
	}
	return s
}
func par(ts []*tree) {
	for _, t := range ts {
		go evenT(t)
	}
}
