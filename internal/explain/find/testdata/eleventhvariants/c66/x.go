package c66

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// V5 two functions

func writeDurably(path string, content []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}

func commit(root string, pending map[string][]byte) error {
	for _, rel := range slices.Sorted(maps.Keys(pending)) {
		if err := writeDurably(filepath.Join(root, rel), pending[rel]); err != nil {
			return err
		}
	}
	return nil
}
