package c69

import (
	"os"
	"path/filepath"
)

// V5 two functions
func ensure(dir string) error { return os.MkdirAll(dir, 0o755) }

func spill(dir string, blobs map[string][]byte) error {
	for name, b := range blobs {
		if err := ensure(dir); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
