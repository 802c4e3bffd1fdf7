package c64

import (
	"io/fs"
	"os"
	"path/filepath"
)

// V1 method

type layered struct {
	upper string
	lower string
}

func (l *layered) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	over := filepath.Join(l.upper, filepath.FromSlash(name))
	if _, err := os.Stat(over); err == nil {
		return os.Open(over)
	}
	return os.Open(filepath.Join(l.lower, filepath.FromSlash(name)))
}
