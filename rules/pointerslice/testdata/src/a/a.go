package a

import (
	"net/url"
	"sync"
)

type item struct{ x, y int }

type big struct{ data [40]int }

type locked struct {
	mu sync.Mutex
	n  int
}

func makeAll(n int) []*item {
	out := make([]*item, 0, n)
	for i := 0; i < n; i++ {
		out = append(out, &item{x: i}) // want `each element is a item of its own on the heap: a \[\]item holds the values in one allocation`
	}
	return out
}

func named(in []int) (out []*item) {
	for _, v := range in {
		it := new(item) // want `each element is a item`
		it.x = v
		out = append(out, it)
	}
	return out
}

type list struct{ items []*item }

func (l *list) fill(n int) {
	l.items = make([]*item, n)
	for i := range l.items {
		l.items[i] = &item{i, i} // want `each element is a item`
	}
}

func closure(in []int) []*item {
	var out []*item
	add := func() {
		for _, v := range in {
			out = append(out, &item{y: v}) // want `each element is a item`
		}
	}
	add()
	return out
}

type box[T any] struct{ value T }

func generic[T any](in []T) (out []*box[T]) {
	for _, v := range in {
		out = append(out, &box[T]{v}) // want `each element is a box\[T\]`
	}
	return out
}

// What follows is left alone.

func large(n int) (out []*big) {
	for range n {
		out = append(out, &big{})
	}
	return out
}

func locks(n int) (out []*locked) {
	for range n {
		out = append(out, &locked{})
	}
	return out
}

func once(out []*item) []*item { return append(out, &item{}) }

func same(n int) (out []*item) {
	it := &item{}
	for range n {
		out = append(out, it)
	}
	return out
}

func values(n int) (out []item) {
	for i := range n {
		out = append(out, item{x: i})
	}
	return out
}

func interfaces(n int) (out []any) {
	for i := range n {
		out = append(out, &item{x: i})
	}
	return out
}

func given(in []*item) (out []*item) {
	for _, it := range in {
		out = append(out, it)
	}
	return out
}

func foreign(n int) (out []*sync.WaitGroup, all []*url.URL) {
	for range n {
		all = append(all, &url.URL{})
	}
	return out, all
}

func maps(n int) map[int]*item {
	out := map[int]*item{}
	for i := range n {
		out[i] = &item{}
	}
	return out
}
