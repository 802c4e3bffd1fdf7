package c54

import (
	"net"
	"runtime"
	"syscall"
)

// V1 method as the finalizer
type socket struct {
	fd   int
	peer string
}

func (s *socket) shut() { _ = syscall.Close(s.fd) }

func Dial(peer string) (*socket, error) {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	s := &socket{fd: fd, peer: peer}
	runtime.SetFinalizer(s, (*socket).shut)
	return s, nil
}

// V2 two functions, interface in a field
type endpoint struct {
	ln    net.Listener
	calls int
}

func arm(e *endpoint) {
	runtime.SetFinalizer(e, func(e *endpoint) { _ = e.ln.Close() })
}

func Listen(addr string) (*endpoint, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	e := &endpoint{ln: ln}
	arm(e)
	return e, nil
}
