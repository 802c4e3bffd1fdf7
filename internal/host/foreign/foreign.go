// Package foreign reads files that somebody names: as far as they are files or
// pipes, no more of them than was asked for, and no longer than the context
// lasts. A device has no end, a pipe may never get a writer, and a packed file
// of kilobytes can unpack to gigabytes: each would otherwise outlast an
// interrupt.
package foreign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Path returns where a file is that somebody in dir names.
func Path(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// Do runs f, and does not wait for it beyond the end of the context: then its
// result is dropped, and the error is the context's. So f must leave nothing
// behind.
func Do[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// An OddError is a name of what cannot be read to an end.
type OddError struct{ Name, Is string }

func (o *OddError) Error() string { return o.Name + " is " + o.Is + ": name a file" }

// Open opens a file or a pipe. Opening, reading and closing it end with the
// context.
func Open(ctx context.Context, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	const odd = fs.ModeDevice | fs.ModeSocket | fs.ModeIrregular
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, &OddError{name, "a directory"}
	case mode&odd != 0:
		return nil, &OddError{name, "neither a file nor a pipe"}
	}
	f, err := Do(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, err
	}
	return &file{Reader: Reader(ctx, f), f: f}, nil
}

// A file is what Open opened.
type file struct {
	io.Reader
	f *os.File
}

func (f *file) Close() error { return f.f.Close() }

// Reader reads r for as long as the context lasts.
func Reader(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx: ctx, r: r} }

type reader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader. The bytes go through a buffer of their own, since
// a read that was given up still writes somewhere.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	var end error
	buf, err := Do(r.ctx, func() ([]byte, error) {
		buf := make([]byte, min(len(p), 1<<20))
		n, err := r.r.Read(buf)
		end = err
		return buf[:n], nil
	})
	if err != nil {
		return 0, err
	}
	return copy(p, buf), end
}

// A TooLarge is a file of more bytes than are read.
type TooLarge struct {
	Name string
	Most int64
}

func (t *TooLarge) Error() string {
	return fmt.Sprintf("%s has more than %d KiB, which is the most that is read", t.Name, t.Most>>10)
}

// ReadFile reads a file or a pipe of at most most bytes.
func ReadFile(ctx context.Context, name string, most int64) (data []byte, err error) {
	f, err := Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err = io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case int64(len(data)) > most:
		return nil, &TooLarge{name, most}
	}
	return data, nil
}

// Head returns the first n bytes of a file, or as many as it has. Of a pipe,
// which can be read once, and of all else it returns none.
func Head(name string, n int) []byte {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, n)
	n, _ = io.ReadFull(f, head)
	return head[:n]
}
