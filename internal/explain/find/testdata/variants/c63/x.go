package c63

import (
	"os"
	"path/filepath"
)

// V1 renamed
func subdirs(root string) (ds []string) {
	es, _ := os.ReadDir(root)
	for _, e := range es {
		fi, err := os.Stat(root + "/" + e.Name())
		if err == nil && fi.IsDir() {
			ds = append(ds, e.Name())
		}
	}
	return
}

// V2 method
type sc struct{ dir string }

func (s *sc) sizes() (n int64) {
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for i := range list {
		st, err := os.Lstat(filepath.Join(s.dir, list[i].Name()))
		if err != nil {
			continue
		}
		n += st.Size()
	}
	return
}

// V3 closure
func lister(d string) func() int {
	return func() (c int) {
		ents, _ := os.ReadDir(d)
		for _, en := range ents {
			p := filepath.Join(d, en.Name())
			if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
				c++
			}
		}
		return
	}
}

// V4 generic
func collect[T any](d string, f func(os.FileInfo) T) (out []T) {
	ents, _ := os.ReadDir(d)
	for _, e := range ents {
		if fi, err := os.Stat(filepath.Join(d, e.Name())); err == nil {
			out = append(out, f(fi))
		}
	}
	return
}

// V5 two functions
func isDir(p string) bool { fi, err := os.Stat(p); return err == nil && fi.IsDir() }
func dirs(d string) (n int) {
	es, _ := os.ReadDir(d)
	for _, e := range es {
		if isDir(filepath.Join(d, e.Name())) {
			n++
		}
	}
	return
}
