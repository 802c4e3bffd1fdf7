package a

import (
	"os"
	"path/filepath"
)

func literal(root string) (dirs []string) {
	list, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	isDir := func(name string) bool {
		info, err := os.Stat(filepath.Join(root, name))
		return err == nil && info.IsDir()
	}
	for _, e := range list {
		if isDir(e.Name()) { // want `isDir makes a system call for each entry`
			dirs = append(dirs, e.Name())
		}
	}
	return dirs
}

func sizeOf(dir string) (n int64) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil { // want `e.Info needs no path`
			n += info.Size()
		}
	}
	return n
}

// What follows is left alone.

func elsewhere(root, mirror string) (both []string) {
	list, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	isDir := func(name string) bool {
		info, err := os.Stat(filepath.Join(mirror, name))
		return err == nil && info.IsDir()
	}
	for _, e := range list {
		if isDir(e.Name()) {
			both = append(both, e.Name())
		}
	}
	return both
}
