package c63

import (
	"os"
	"path/filepath"
	"strings"
)

// V1 method and two functions, if with init, missed
type Finder struct {
	prefix string
}

func (f *Finder) Commands(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), f.prefix)
		if ok && executable(filepath.Join(dir, e.Name())) {
			names = append(names, name)
		}
	}
	return names, nil
}

func executable(path string) bool {
	if fi, err := os.Stat(path); err == nil {
		return fi.Mode().IsRegular() && fi.Mode().Perm()&0o111 != 0
	}
	return false
}
