package c54

import (
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
)

// V1 renamed
type Handle struct{ f *os.File }

func NewHandle(p string) (*Handle, error) {
	f, err := os.Open(p)
	if err != nil {
		return nil, err
	}
	h := &Handle{f: f}
	runtime.SetFinalizer(h, (*Handle).shut)
	return h, nil
}
func (h *Handle) shut() { h.f.Close() }

// V2 method
type pool struct{ n int }
type conn struct{ c net.Conn }

func (p *pool) open(addr string) (*conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	x := &conn{c: c}
	runtime.SetFinalizer(x, func(x *conn) { x.c.Close() })
	return x, nil
}

// V3 closure
type res struct{ fd int }

func opener() func(string) *res {
	return func(p string) *res {
		fd, _ := syscall.Open(p, syscall.O_RDONLY, 0)
		r := &res{fd: fd}
		runtime.SetFinalizer(r, func(r *res) { syscall.Close(r.fd) })
		return r
	}
}

// V4 generic
type Owned[T io.Closer] struct{ v T }

func Own[T io.Closer](v T) *Owned[T] {
	o := &Owned[T]{v: v}
	runtime.SetFinalizer(o, func(o *Owned[T]) { o.v.Close() })
	return o
}

// V5 two functions
type file struct{ fd int }

func cleanup(f *file) { syscall.Close(f.fd) }
func guard(f *file) *file {
	runtime.SetFinalizer(f, cleanup)
	return f
}
func openFile(p string) *file {
	fd, _ := syscall.Open(p, syscall.O_RDONLY, 0)
	return guard(&file{fd: fd})
}
