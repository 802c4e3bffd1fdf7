package c54

import (
	"os"
	"runtime"
	"syscall"
)

// V1 renamed
type sock struct{ fd int }

func open() *sock {
	fd, _ := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	s := &sock{fd}
	runtime.SetFinalizer(s, func(s *sock) { syscall.Close(s.fd) })
	return s
}

// V2 method
type dev struct{ fd int }

func (d *dev) init(p string) (err error) {
	d.fd, err = syscall.Open(p, syscall.O_RDWR, 0)
	runtime.SetFinalizer(d, (*dev).free)
	return
}
func (d *dev) free() { syscall.Close(d.fd) }

// V3 closure
type tmp struct{ f *os.File }

func mkTmp() func() (*tmp, error) {
	return func() (*tmp, error) {
		f, err := os.CreateTemp("", "x")
		if err != nil {
			return nil, err
		}
		t := &tmp{f}
		runtime.SetFinalizer(t, func(t *tmp) { t.f.Close() })
		return t, nil
	}
}

// V4 generic
type hnd[T any] struct {
	fd int
	v  T
}

func newHnd[T any](fd int, v T) *hnd[T] {
	h := &hnd[T]{fd, v}
	runtime.SetFinalizer(h, func(h *hnd[T]) { syscall.Close(h.fd) })
	return h
}

// V5 two functions
type pipe struct{ r, w int }

func closePipe(p *pipe) { syscall.Close(p.r); syscall.Close(p.w) }
func arm(p *pipe)       { runtime.SetFinalizer(p, closePipe) }
func newPipe() *pipe    { p := &pipe{3, 4}; arm(p); return p }
