package c23

import (
	"encoding/json"
	"net/http"
	"os"
	"sync"
)

// V1 closure, missed
type directory struct {
	mu    sync.Mutex
	base  string
	codes map[string]int
}

func (d *directory) with(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

func (d *directory) Refresh(name string) (err error) {
	d.with(func() {
		var resp *http.Response
		resp, err = http.Get(d.base + "/" + name)
		if err != nil {
			return
		}
		resp.Body.Close()
		d.codes[name] = resp.StatusCode
	})
	return err
}

// V2 generic
type snapshot[K comparable, V any] struct {
	mu   sync.Mutex
	path string
	vals map[K]V
}

func (s *snapshot[K, V]) Put(k K, v V, text func(map[K]V) []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vals[k] = v
	return os.WriteFile(s.path, text(s.vals), 0o600)
}

var _ = json.Valid
