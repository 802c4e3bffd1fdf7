package c64

import (
	"os"
	"path/filepath"
)

// V1 renamed
func load(name string) ([]byte, error) {
	if _, err := os.Stat(name); os.IsNotExist(err) {
		return nil, nil
	}
	return os.ReadFile(name)
}

// V2 method
type ov struct{ top, bottom string }

func (o *ov) open(rel string) (*os.File, error) {
	t := filepath.Join(o.top, rel)
	_, err := os.Stat(t)
	if err == nil {
		return os.Open(t)
	}
	return os.Open(filepath.Join(o.bottom, rel))
}

// V3 closure
func opener(dir string) func(string) (*os.File, error) {
	return func(n string) (*os.File, error) {
		p := filepath.Join(dir, n)
		if _, err := os.Stat(p); err != nil {
			return nil, err
		}
		return os.Open(p)
	}
}

// V4 generic
func readAs[T any](path string, parse func([]byte) (T, error)) (T, error) {
	var z T
	if _, err := os.Stat(path); err != nil {
		return z, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return z, err
	}
	return parse(b)
}

// V5 two functions
func exists(p string) bool { _, err := os.Stat(p); return err == nil }
func config(p string) ([]byte, error) {
	if !exists(p) {
		return nil, nil
	}
	return os.ReadFile(p)
}
