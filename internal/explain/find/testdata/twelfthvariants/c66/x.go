package c66

import (
	"os"
	"path/filepath"
)

// V5 two functions
func replaceFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-")
	if err != nil {
		return err
	}
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Sync(); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

func saveSnapshot(dir string, parts map[string][]byte) error {
	for name, data := range parts {
		if err := replaceFile(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return nil
}
