package c64

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// V1 renamed
func readIfThere(p string) ([]byte, error) {
	if _, err := os.Stat(p); err != nil {
		return nil, nil
	}
	return os.ReadFile(p)
}

// V2 method
type overlay struct{ top, base string }

func (o *overlay) open(rel string) (*os.File, error) {
	p := filepath.Join(o.top, rel)
	if _, err := os.Stat(p); err == nil {
		return os.Open(p)
	}
	return os.Open(filepath.Join(o.base, rel))
}

// V3 closure
func loader(dir string) func(string) []byte {
	return func(name string) []byte {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return nil
		}
		b, _ := os.ReadFile(path)
		return b
	}
}

// V4 generic
func LoadOr[T any](p string, def T) (T, error) {
	if _, err := os.Stat(p); err != nil {
		return def, nil
	}
	f, err := os.Open(p)
	if err != nil {
		return def, err
	}
	defer f.Close()
	var v T
	return v, json.NewDecoder(f).Decode(&v)
}

// V5 two functions
func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}
func readConf(p string) ([]byte, error) {
	if exists(p) {
		return os.ReadFile(p)
	}
	return nil, nil
}
