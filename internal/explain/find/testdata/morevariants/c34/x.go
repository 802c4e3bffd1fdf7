package c34

import (
	"net/http"
	"sync"
)

func slow(k string) []byte { return []byte(k + k) }

// V1 renamed
var pages = map[string][]byte{}

func page(name string) []byte {
	if p, ok := pages[name]; ok {
		return p
	}
	p := slow(name)
	pages[name] = p
	return p
}

// V2 method
type memo struct {
	mu   sync.Mutex
	vals map[string][]byte
}

var shared = &memo{vals: map[string][]byte{}}

func (m *memo) get(k string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.vals[k]
	if !ok {
		v = slow(k)
		m.vals[k] = v
	}
	return v
}
func serve(w http.ResponseWriter, r *http.Request) { w.Write(shared.get(r.URL.Path)) }

// V3 closure
var fetch = func() func(string) []byte {
	cache := map[string][]byte{}
	return func(k string) []byte {
		if v, ok := cache[k]; ok {
			return v
		}
		v := slow(k)
		cache[k] = v
		return v
	}
}()

// V4 generic, missed
type Memo[K comparable, V any] struct{ m map[K]V }

var memoized = Memo[string, []byte]{m: map[string][]byte{}}

func (m *Memo[K, V]) Do(k K, f func(K) V) V {
	if v, ok := m.m[k]; ok {
		return v
	}
	v := f(k)
	m.m[k] = v
	return v
}
func Lookup(k string) []byte { return memoized.Do(k, slow) }

// V5 two functions
var results = map[string][]byte{}

func keep(k string, v []byte) { results[k] = v }
func compute(k string) []byte {
	if v, ok := results[k]; ok {
		return v
	}
	v := slow(k)
	keep(k, v)
	return v
}
