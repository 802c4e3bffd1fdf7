package c66

import (
	"os"
	"path/filepath"
)

// V1 method and two functions, range over a map
type Commit struct {
	root    string
	changes map[string][]byte
}

func (c *Commit) Apply() error {
	for name, data := range c.changes {
		if err := replace(filepath.Join(c.root, name), data); err != nil {
			return err
		}
	}
	return nil
}

func replace(path string, data []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
