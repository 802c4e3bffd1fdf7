package c23

import (
	"net/http"
	"os"
	"sync"
)

// V2 method
type state struct {
	sync.RWMutex
	path string
	data []byte
}

func (s *state) save() error {
	s.Lock()
	defer s.Unlock()
	return os.WriteFile(s.path, s.data, 0o600)
}

// V5 two functions
type tokens struct {
	mu    sync.Mutex
	value string
	url   string
}

func (t *tokens) refresh() error {
	resp, err := http.Get(t.url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	t.value = resp.Header.Get("Token")
	return nil
}

func (t *tokens) get() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == "" {
		if err := t.refresh(); err != nil {
			return "", err
		}
	}
	return t.value, nil
}
