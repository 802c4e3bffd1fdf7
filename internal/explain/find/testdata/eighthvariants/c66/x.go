package c66

import (
	"os"
	"path/filepath"
)

// V1 generic
func WriteAll[T ~[]byte | ~string](dir string, docs map[string]T) error {
	for name, doc := range docs {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if _, err := f.Write([]byte(doc)); err != nil {
			f.Close()
			return err
		}
		if err := f.Sync(); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// V2 two functions
type blob struct {
	name string
	data []byte
}

func persist(dir string, b blob) (err error) {
	f, err := os.Create(filepath.Join(dir, b.name))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = f.Write(b.data); err != nil {
		return err
	}
	return f.Sync()
}

func Persist(dir string, blobs []blob) error {
	for _, b := range blobs {
		if err := persist(dir, b); err != nil {
			return err
		}
	}
	return nil
}
