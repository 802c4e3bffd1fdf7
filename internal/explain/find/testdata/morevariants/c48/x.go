package c48

import (
	"encoding/json"
	"io"
	"net/http"
)

type node struct {
	l, r *node
	v    int
}

// V1 renamed
func depthSum(n *node) int {
	if n == nil {
		return 0
	}
	return n.v + depthSum(n.l) + depthSum(n.r)
}
func sumEach(roots []*node, out chan<- int) {
	for _, r := range roots {
		go func() { out <- depthSum(r) }()
	}
}

// V2 method
type parser struct{ dec *json.Decoder }

func (p *parser) value(depth int) (any, error) {
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	if tok == json.Delim('[') {
		var list []any
		for p.dec.More() {
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = p.dec.Token()
		return list, err
	}
	return tok, nil
}
func parseAll(bodies []io.Reader) {
	for _, b := range bodies {
		go (&parser{dec: json.NewDecoder(b)}).value(0)
	}
}

// V3 closure
func walkEach(roots []*node) {
	var walk func(n *node, d int) int
	walk = func(n *node, d int) int {
		if n == nil {
			return d
		}
		return max(walk(n.l, d+1), walk(n.r, d+1))
	}
	for _, r := range roots {
		go walk(r, 0)
	}
}

// V4 generic
type list[T any] struct {
	next *list[T]
	v    T
}

func Len[T any](l *list[T]) int {
	if l == nil {
		return 0
	}
	return 1 + Len(l.next)
}
func LenEach[T any](ls []*list[T], out chan int) {
	for _, l := range ls {
		go func() { out <- Len(l) }()
	}
}

// V5 two functions
func even(n *node, d int) int {
	if n == nil {
		return d
	}
	return odd(n.l, d+1)
}
func odd(n *node, d int) int {
	if n == nil {
		return d
	}
	return even(n.r, d+1)
}
func each(w http.ResponseWriter, r *http.Request) { go even(&node{}, 0) }
