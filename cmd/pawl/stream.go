package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/pawl-dev/pawl/internal/report/quote"
)

// A stream is stdout or stderr. It keeps the first error of writing, which most
// printing does not look at, and notices that its reader has gone. What a
// terminal would obey is quoted in it, since most of what pawl says holds names
// and texts of others; raw is for the data of others, byte by byte.
type stream struct {
	to    io.Writer
	leave func() // is called when the reader has gone

	mu  sync.Mutex
	err error
}

// Write implements io.Writer. Nothing more is written once that has failed: a
// report with a hole in it would pass for a whole one.
func (s *stream) Write(p []byte) (int, error) {
	_, err := s.raw([]byte(quote.Shown(string(p))))
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// raw is Write for what must arrive as it is.
func (s *stream) raw(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.to.Write(p)
	if s.err = err; errors.Is(err, syscall.EPIPE) {
		s.leave()
	}
	return n, err
}

// A writerFunc writes.
type writerFunc func(p []byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

// data is stdout for a file that somebody redirects: a patch, a source, a
// profile. On a terminal it is text like any other.
func (e *env) data() io.Writer {
	if s, ok := e.stdout.(*stream); ok && !e.outTTY {
		return writerFunc(s.raw)
	}
	return e.stdout
}

// failed returns the first error of writing.
func (s *stream) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// survivePipes makes a write to a pipe that nobody reads an error. Without it,
// the signal that comes with it would end pawl where it stands, and leave its
// temporary files and what it runs. It is caught and not ignored, since
// programs that pawl starts would inherit that. The signal itself says nothing:
// it comes from any pipe.
func survivePipes() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}
