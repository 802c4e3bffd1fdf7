package disarmed

import (
	"runtime"
	"syscall"
)

type file struct{ fd int }

func open(path string) (*file, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	f := &file{fd: fd}
	runtime.SetFinalizer(f, func(f *file) { syscall.Close(f.fd) })
	return f, nil
}

// take gives the descriptor to someone who closes it.
func take(f *file) int {
	runtime.SetFinalizer(f, nil)
	return f.fd
}
