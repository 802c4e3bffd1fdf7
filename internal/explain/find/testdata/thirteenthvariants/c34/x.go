package c34

import (
	"net/http"
	"sync"
)

// V1 generic code

type memo[K comparable, V any] struct {
	mu     sync.RWMutex
	values map[K]V
}

func (m *memo[K, V]) get(key K, build func(K) V) V {
	m.mu.RLock()
	v, ok := m.values[key]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = build(key)
	m.mu.Lock()
	m.values[key] = v
	m.mu.Unlock()
	return v
}

var thumbnails = memo[string, []byte]{values: map[string][]byte{}}

func serveThumbnail(render func(string) []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		w.Write(thumbnails.get(r.URL.RawQuery, render))
	}
}
