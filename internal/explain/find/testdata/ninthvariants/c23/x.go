package c23

import (
	"fmt"
	"net"
	"sync"
)

// V1 two functions
type registry struct {
	mu    sync.Mutex
	peers map[string]bool
}

func announce(addr, name string) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "HELLO %s\n", name)
	return err
}

func (r *registry) Join(addr, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := announce(addr, name); err != nil {
		return err
	}
	r.peers[addr] = true
	return nil
}
