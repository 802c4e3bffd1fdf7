package c34

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// V1 renamed
var parsed = make(map[string]*url.URL)
var parsedMu sync.Mutex

func Parse(s string) (*url.URL, error) {
	parsedMu.Lock()
	defer parsedMu.Unlock()
	if u := parsed[s]; u != nil {
		return u, nil
	}
	u, err := url.Parse(s)
	if err == nil {
		parsed[s] = u
	}
	return u, err
}

// V2 method
type renderer struct{}

var rendered = map[int]string{}

func (renderer) page(id int) string {
	p, ok := rendered[id]
	if !ok {
		p = strings.Repeat("x", id)
		rendered[id] = p
	}
	return p
}

// V3 closure
var memo sync.Map

func handlerFor(load func(string) []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		k := r.URL.Path
		if v, ok := memo.Load(k); ok {
			w.Write(v.([]byte))
			return
		}
		b := load(k)
		memo.Store(k, b)
		w.Write(b)
	}
}

// V4 generic
type cache[K comparable, V any] struct{ m map[K]V }

func (c *cache[K, V]) get(k K, f func(K) V) V {
	if v, ok := c.m[k]; ok {
		return v
	}
	v := f(k)
	c.m[k] = v
	return v
}

var users = &cache[string, []byte]{m: map[string][]byte{}}

func User(id string) []byte { return users.get(id, func(s string) []byte { return []byte(s) }) }

// V5 two functions
var seenBodies = map[string][]byte{}

func remember(k string, b []byte) { seenBodies[k] = b }
func body(k string) []byte {
	if b, ok := seenBodies[k]; ok {
		return b
	}
	b := []byte(strings.ToUpper(k))
	remember(k, b)
	return b
}
