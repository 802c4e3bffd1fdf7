package c23

import (
	"net/http"
	"os"
	"sync"
)

// V1 renamed
var lk sync.Mutex
var endpoint string

func ping() error {
	lk.Lock()
	defer lk.Unlock()
	resp, err := http.Get(endpoint)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// V2 method
type store struct {
	mu   sync.RWMutex
	path string
	data []byte
}

func (s *store) reload() error {
	s.mu.Lock()
	b, err := os.ReadFile(s.path)
	s.data = b
	s.mu.Unlock()
	return err
}

// V3 closure
func saver(path string) func([]byte) error {
	var mu sync.Mutex
	return func(b []byte) error {
		mu.Lock()
		defer mu.Unlock()
		return os.WriteFile(path, b, 0o644)
	}
}

// V4 generic
type Cache[V any] struct {
	mu sync.Mutex
	m  map[string]V
}

func (c *Cache[V]) Get(u string, parse func(*http.Response) V) (V, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.m[u]; ok {
		return v, nil
	}
	resp, err := http.Get(u)
	if err != nil {
		var zero V
		return zero, err
	}
	c.m[u] = parse(resp)
	return c.m[u], nil
}

// V5 two functions
type registry struct {
	mu  sync.Mutex
	url string
}

func pull(u string) error {
	resp, err := http.Get(u)
	if err == nil {
		resp.Body.Close()
	}
	return err
}
func (r *registry) sync() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return pull(r.url)
}
