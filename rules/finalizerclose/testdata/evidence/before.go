// Package evidence has a file of its own.
package evidence

import (
	"runtime"
	"syscall"
)

// A File is an open file.
type File struct{ fd int }

// Open opens a file, which the collector closes.
func Open(path string) (*File, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	f := &File{fd: fd}
	runtime.SetFinalizer(f, func(f *File) { _ = syscall.Close(f.fd) })
	return f, nil
}
