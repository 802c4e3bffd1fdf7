package c23

import (
	"os"
	"sync"
)

// V1 embedded mutex, early unlock
type settings struct {
	sync.Mutex
	path   string
	values map[string]string
}

func (s *settings) Put(k, v string) error {
	s.Lock()
	s.values[k] = v
	err := os.WriteFile(s.path, []byte(k+"="+v), 0o644)
	s.Unlock()
	return err
}

func (s *settings) Get(k string) string {
	s.Lock()
	defer s.Unlock()
	return s.values[k]
}
