package a

import "sync"

type registry struct {
	mu    sync.Mutex
	sizes map[string]int
}

var (
	first  = &registry{sizes: map[string]int{}}
	second = &registry{sizes: map[string]int{}}
)

func (r *registry) size(k string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.sizes[k]
	if !ok {
		n = len(k)
		r.sizes[k] = n // want `each new key stays in first`
	}
	return n
}

var blobs = map[string][]byte{}

func blob(k string) []byte {
	if v, ok := blobs[k]; ok {
		return v
	}
	return keep(k)
}

func keep(k string) []byte {
	v := expensiveFetch(k)
	blobs[k] = v // want `each new key stays in blobs`
	return v
}

// What follows is left alone.

type epoch struct{ seen map[string]int }

var current = &epoch{seen: map[string]int{}}

func turn() { current = &epoch{seen: map[string]int{}} }

func (e *epoch) count(k string) int {
	n, ok := e.seen[k]
	if !ok {
		n = len(k)
		e.seen[k] = n
	}
	return n
}

// A Parser is made for each document by other packages.
type Parser struct{ ids map[string]int }

var std = &Parser{ids: map[string]int{}}

func (p *Parser) id(k string) int {
	n, ok := p.ids[k]
	if !ok {
		n = len(k)
		p.ids[k] = n
	}
	return n
}

// Each key is filled in at the start.
var loaded = map[string]int{}

func loadAll(keys []string) {
	for _, k := range keys {
		store(k)
	}
}

func store(k string) { loaded[k] = len(k) }

func ask(k string) int { return loaded[k] }
