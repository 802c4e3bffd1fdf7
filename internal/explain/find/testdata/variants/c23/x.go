package c23

import (
	"database/sql"
	"net"
	"net/http"
	"os"
	"sync"
)

// V1 renamed
var lk sync.Mutex
var last string

func refresh(u string) error {
	lk.Lock()
	r, err := http.Get(u)
	if err == nil {
		last = r.Status
		r.Body.Close()
	}
	lk.Unlock()
	return err
}

// V2 method
type store struct {
	mu   sync.RWMutex
	path string
	n    int
}

func (s *store) load() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return os.ReadFile(s.path)
}

// V3 closure
func resolver(db *sql.DB) func(string) error {
	var mu sync.Mutex
	n := 0
	return func(q string) error {
		mu.Lock()
		defer mu.Unlock()
		n++
		_, err := db.Exec(q)
		return err
	}
}

// V4 generic
type cache[K comparable] struct {
	mu sync.Mutex
	m  map[K][]byte
}

func (c *cache[K]) get(k K, name string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, ok := c.m[k]; ok {
		return b, nil
	}
	b, err := os.ReadFile(name)
	c.m[k] = b
	return b, err
}

// V5 two functions
func dial(a string) error {
	c, err := net.Dial("tcp", a)
	if err == nil {
		c.Close()
	}
	return err
}

type chk struct {
	mu    sync.Mutex
	addrs []string
}

func (c *chk) all() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.addrs {
		dial(a)
	}
}
