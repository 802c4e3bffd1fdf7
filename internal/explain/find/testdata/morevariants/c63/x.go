package c63

import (
	"os"
	"path/filepath"
	"strings"
)

// V1 renamed
func subdirs(root string) (out []string, err error) {
	ents, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, e := range ents {
		st, err := os.Stat(filepath.Join(root, e.Name()))
		if err == nil && st.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// V2 method
type finder struct{ dir string }

func (f *finder) executables() (out []string) {
	des, _ := os.ReadDir(f.dir)
	for _, de := range des {
		if !strings.HasPrefix(de.Name(), "x-") {
			continue
		}
		fi, err := os.Lstat(filepath.Join(f.dir, de.Name()))
		if err != nil || fi.Mode()&0o111 == 0 {
			continue
		}
		out = append(out, de.Name())
	}
	return out
}

// V3 closure
func lister() func(string) int64 {
	return func(d string) (t int64) {
		list, _ := os.ReadDir(d)
		for _, x := range list {
			if info, err := os.Stat(d + "/" + x.Name()); err == nil {
				t += info.Size()
			}
		}
		return t
	}
}

// V4 generic
func Collect[T any](dir string, f func(os.FileInfo) T) (out []T) {
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		fi, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		out = append(out, f(fi))
	}
	return out
}

// V5 two functions
func isDir(p string) bool {
	fi, err := os.Stat(p)
	return err == nil && fi.IsDir()
}
func dirs(root string) (out []string) {
	es, _ := os.ReadDir(root)
	for _, e := range es {
		if isDir(filepath.Join(root, e.Name())) {
			out = append(out, e.Name())
		}
	}
	return out
}
