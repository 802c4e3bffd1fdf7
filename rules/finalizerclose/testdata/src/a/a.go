package a

import (
	"log"
	"net"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// File is a file.
type File struct{ fd int }

// Open opens one, and relies on the collector to close it.
func Open(path string) (*File, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	f := &File{fd: fd}
	runtime.SetFinalizer(f, (*File).close) // want `nothing but this finalizer calls syscall.Close for a File: descriptors run out before a collection does it`
	return f, nil
}

func (f *File) close() { syscall.Close(f.fd) }

type socket struct {
	fd   uintptr
	name string
}

func socketOf(fd uintptr) *socket {
	s := &socket{fd: fd}
	runtime.SetFinalizer(s, func(s *socket) { // want `calls syscall.Close for a socket`
		_ = syscall.Close(int(s.fd))
	})
	return s
}

type handle struct{ fd int }

func handleOf(fd int) *handle {
	h := &handle{fd}
	runtime.SetFinalizer(h, func(h *handle) { _ = syscall.Close(h.fd) }) // want `calls syscall.Close for a handle`
	return h
}

// The descriptor may be another by then: no fix.
type reopened struct{ fd int }

func (r *reopened) reopen(fd int) { r.fd = fd }

func reopenedOf(fd int) *reopened {
	r := &reopened{fd}
	runtime.SetFinalizer(r, func(r *reopened) { syscall.Close(r.fd) }) // want `calls syscall.Close for a reopened`
	return r
}

// The cleanup would hold the file: no fix.
type logFile struct{ f *os.File }

func logTo(name string) (*logFile, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	l := &logFile{f}
	runtime.SetFinalizer(l, func(l *logFile) { l.f.Close() }) // want `calls \(\*os.File\).Close for a logFile`
	return l, nil
}

type peer struct{ conn net.Conn }

func finish(p *peer) { p.conn.Close() }

func dial(addr string) (*peer, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	p := &peer{c}
	runtime.SetFinalizer(p, finish) // want `calls \(net.Conn\).Close for a peer`
	return p, nil
}

// What follows is left alone.

// net is a safety net: there is a Close.
type netted struct{ fd int }

func (n *netted) Close() error { return syscall.Close(n.fd) }

func nettedOf(fd int) *netted {
	n := &netted{fd}
	runtime.SetFinalizer(n, (*netted).Close)
	return n
}

type stopped struct{ fd int }

func (s *stopped) Stop() { s.close() }

func (s *stopped) close() { syscall.Close(s.fd) }

func stoppedOf(fd int) *stopped {
	s := &stopped{fd}
	runtime.SetFinalizer(s, (*stopped).close)
	return s
}

// inner is closed by what holds it.
type inner struct{ fd int }

type outer struct{ in *inner }

func (o *outer) Close() error { return syscall.Close(o.in.fd) }

func outerOf(fd int) *outer {
	in := &inner{fd}
	runtime.SetFinalizer(in, func(in *inner) { syscall.Close(in.fd) })
	return &outer{in}
}

// called is closed by a function of the package.
type called struct{ fd int }

func (c *called) shut() { syscall.Close(c.fd) }

func calledOf(fd int, keep bool) *called {
	c := &called{fd}
	runtime.SetFinalizer(c, (*called).shut)
	if !keep {
		c.shut()
	}
	return c
}

// detector warns of leaks.
type detector struct {
	fd     int
	closed bool
}

func detectorOf(fd int) *detector {
	d := &detector{fd: fd}
	runtime.SetFinalizer(d, func(d *detector) {
		if !d.closed {
			syscall.Close(d.fd)
			panic("leaked")
		}
	})
	return d
}

type counted struct{ n int }

func countedOf() *counted {
	c := &counted{}
	runtime.SetFinalizer(c, func(c *counted) { log.Println("gone", c.n) })
	return c
}

// memory is what the collector is for.
type memory struct{ p []byte }

func memoryOf(n int) *memory {
	b, _ := syscall.Mmap(-1, 0, n, syscall.PROT_READ, syscall.MAP_ANON)
	m := &memory{b}
	runtime.SetFinalizer(m, func(m *memory) { _ = syscall.Munmap(m.p); _ = unsafe.Pointer(m) })
	return m
}
