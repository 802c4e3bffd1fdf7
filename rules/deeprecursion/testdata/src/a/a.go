package a

import (
	"encoding/json"
	"net/http"
	"strings"
)

func parse(d *json.Decoder, depth int) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		m := map[string]any{}
		for d.More() {
			k, _ := d.Token()
			v, err := parse(d, depth+1) // want `parse calls itself as deep as the data goes, and a new goroutine copies its stack each time that doubles`
			if err != nil {
				return nil, err
			}
			m[k.(string)] = v
		}
		d.Token()
		return m, nil
	}
	return tok, nil
}

type node struct {
	next *node
	kids []*node
}

func (n *node) sum() int {
	s := 1
	for _, k := range n.kids {
		s += k.sum() // want `sum calls itself`
	}
	return s
}

func all(roots []*node, out chan<- int) {
	for _, r := range roots {
		go func() { out <- r.sum() }()
	}
}

func handle(w http.ResponseWriter, r *http.Request) {
	expr(strings.Split(r.URL.Path, "/"))
}

// Two functions call each other.
func expr(tokens []string) int {
	if len(tokens) == 0 {
		return 0
	}
	return term(tokens[1:]) // want `expr calls itself as deep .* and expr is reached from an HTTP handler`
}

func term(tokens []string) int { return expr(tokens) + 1 } // want `term calls itself`

type list[T any] struct {
	head T
	tail *list[T]
}

func (l *list[T]) length() int {
	if l == nil {
		return 0
	}
	return 1 + l.tail.length() // want `length calls itself`
}

func lengths(ls []*list[int], out chan<- int) {
	for _, l := range ls {
		go measure(l, out)
	}
}

func measure(l *list[int], out chan<- int) { out <- l.length() }

type branch struct{ twigs []*branch }

func heights(roots []*branch, out chan<- int) {
	for _, root := range roots {
		go func() {
			var height func(*branch) int
			height = func(b *branch) int {
				most := 0
				for _, t := range b.twigs {
					most = max(most, height(t)) // want `height calls itself as deep as the data goes`
				}
				return most + 1
			}
			out <- height(root)
		}()
	}
}

// What follows is left alone.

func (n *node) depth() int { // not on a new goroutine
	if n == nil {
		return 0
	}
	return 1 + n.next.depth()
}

func sorted(xs []int, out chan<- int) {
	go quick(xs)
	out <- 1
}

func quick(xs []int) {
	if len(xs) < 2 {
		return
	}
	mid := len(xs) / 2
	quick(xs[:mid])
	quick(xs[mid:])
}

func brackets(text string, at int) int { // at is a place
	if at < len(text) && text[at] == '(' {
		return brackets(text, at+1)
	}
	return at
}

func bounded(d *json.Decoder, depth int) {
	if depth > 8 {
		return
	}
	bounded(d, depth+1)
}

func retry(get func() error, n int) error {
	if err := get(); err != nil {
		return retry(get, n+1)
	}
	return nil
}

func size(root *branch) int {
	var count func(*branch) int
	count = func(b *branch) int {
		n := 1
		for _, t := range b.twigs {
			n += count(t)
		}
		return n
	}
	return count(root)
}
