package c63

import (
	"os"
	"path/filepath"
)

// V1 closure
func Subdirs(root string) ([]string, error) {
	list, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	isDir := func(name string) bool {
		fi, err := os.Stat(filepath.Join(root, name))
		return err == nil && fi.IsDir()
	}
	var dirs []string
	for _, e := range list {
		if isDir(e.Name()) {
			dirs = append(dirs, e.Name())
		}
	}
	return dirs, nil
}

// V2 two functions
func regular(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.Mode().IsRegular()
}

func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		full := filepath.Join(dir, entry.Name())
		if regular(full) {
			files = append(files, full)
		}
	}
	return files, nil
}
