package a

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
)

type config struct{ URL string }

var (
	mu           sync.Mutex
	cfg          config
	sharedClient = &http.Client{}
)

func call() error {
	mu.Lock()
	defer mu.Unlock()
	_, err := sharedClient.Get(cfg.URL) // want `all who want mu wait while sharedClient.Get waits for files or the network`
	return err
}

type store struct {
	sync.RWMutex
	mu    sync.Mutex
	state map[string]int
	path  string
	conn  net.Conn
	out   *bufio.Writer
	file  *os.File
	c     *http.Client
	cache map[string][]byte
	ready []byte
}

func (s *store) save() error {
	s.Lock()
	data, err := json.Marshal(s.state)
	if err == nil {
		err = os.WriteFile(s.path, data, 0o600) // want `all who want s wait while os.WriteFile waits`
	}
	s.Unlock()
	return err
}

// The I/O is two calls away.
func (s *store) refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = s.load() // want `all who want s.mu wait while s.load waits`
}

func (s *store) load() map[string]int { return read[map[string]int](s.path) }

func read[T any](path string) (v T) {
	data, _ := os.ReadFile(path)
	_ = json.Unmarshal(data, &v)
	return v
}

func closure(s *store) func() {
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		exec.Command("sync").Run() // want `wait while exec.Command\("sync"\).Run waits`
	}
}

func (s *store) get(key string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.cache[key]; ok {
		return b
	}
	b, _ := os.ReadFile(key) // want `all who want s.mu wait while os.ReadFile waits`
	s.cache[key] = b
	return b
}

// What follows is left alone.

func copied() error {
	mu.Lock()
	url := cfg.URL
	mu.Unlock()
	_, err := sharedClient.Get(url)
	return err
}

func (s *store) send(b []byte) error { // it guards the connection
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.conn.Write(b); err != nil {
		return err
	}
	s.out.Write(b)
	s.file.Write(b)
	return s.out.Flush()
}

func (s *store) once() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready == nil {
		s.ready, _ = os.ReadFile(s.path)
	}
	return s.ready
}

func (s *store) reading() error {
	s.RLock()
	defer s.RUnlock()
	return os.WriteFile(s.path, nil, 0o600)
}

func (s *store) background() {
	s.mu.Lock()
	defer s.mu.Unlock()
	go os.WriteFile(s.path, nil, 0o600)
}

func (s *store) unlocked(ok bool) {
	s.mu.Lock()
	if ok {
		s.mu.Unlock()
		os.Remove(s.path)
		return
	}
	s.mu.Unlock()
}

func init() {
	start()
}

func start() {
	mu.Lock()
	defer mu.Unlock()
	data, _ := os.ReadFile("config")
	_ = json.Unmarshal(data, &cfg)
}
