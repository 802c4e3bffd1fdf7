package c63

import (
	"os"
	"path/filepath"
)

// V1 field, by index, early continue
type tree struct{ root string }

func (t *tree) Files() (names []string, err error) {
	entries, err := os.ReadDir(t.root)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		info, err := os.Lstat(t.root + "/" + entries[i].Name())
		if err != nil || info.IsDir() {
			continue
		}
		names = append(names, entries[i].Name())
	}
	return names, nil
}

// V2 two functions
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func Packages(dir string) (n int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if isDir(filepath.Join(dir, e.Name())) {
			n++
		}
	}
	return n, nil
}
