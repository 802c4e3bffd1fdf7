package c66

import (
	"iter"
	"os"
	"path/filepath"
)

// V1 range over func
func Flush(dir string, pending iter.Seq2[string, []byte]) error {
	for name, data := range pending {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if err == nil {
			err = f.Sync()
		}
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// V2 two functions
func store(name string, data []byte) (err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

type chunk struct {
	name string
	data []byte
}

func StoreAll(chunks []chunk) error {
	for i := range chunks {
		if err := store(chunks[i].name, chunks[i].data); err != nil {
			return err
		}
	}
	return nil
}
