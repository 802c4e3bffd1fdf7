package c64

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// V1 method and two functions, switch
type Templates struct {
	local, shared string
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func (t *Templates) Load(name string) ([]byte, error) {
	own := filepath.Join(t.local, name)
	switch {
	case exists(own):
		return os.ReadFile(own)
	default:
		return os.ReadFile(filepath.Join(t.shared, name))
	}
}
