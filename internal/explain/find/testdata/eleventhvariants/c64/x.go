package c64

import (
	"io"
	"os"
	"path/filepath"
)

// V5 two functions

type layered struct{ upper, lower string }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (l *layered) open(rel string) (io.ReadCloser, error) {
	if p := filepath.Join(l.upper, rel); exists(p) {
		return os.Open(p)
	}
	return os.Open(filepath.Join(l.lower, rel))
}
