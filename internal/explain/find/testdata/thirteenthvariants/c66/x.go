package c66

import (
	"os"
	"path/filepath"
	"sort"
)

// V1 method

type commit struct {
	root    string
	changed map[string][]byte
}

func (c *commit) Apply() error {
	paths := make([]string, 0, len(c.changed))
	for p := range c.changed {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		if err := c.replace(filepath.Join(c.root, p), c.changed[p]); err != nil {
			return err
		}
	}
	return nil
}

func (c *commit) replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".commit-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
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
	return os.Rename(f.Name(), path)
}
