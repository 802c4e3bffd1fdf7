package c68

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// V1 renamed
func each(cmds []string, root string) error {
	for range cmds {
		dst, _ := os.MkdirTemp("", "w")
		if err := os.CopyFS(dst, os.DirFS(root)); err != nil {
			return err
		}
	}
	return nil
}

// V2 method
type rn struct{ root string }

func (r *rn) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	d, _ := os.MkdirTemp("", "x")
	os.CopyFS(d, os.DirFS(r.root))
	fmt.Fprint(w, d)
}

// V3 closure
func runner(root string) func([]string) error {
	return func(xs []string) error {
		for _, x := range xs {
			if err := os.CopyFS(x, os.DirFS(root)); err != nil {
				return err
			}
		}
		return nil
	}
}

// V4 generic
func forAll[T any](ts []T, dir func(T) string, src string) {
	for _, t := range ts {
		os.CopyFS(dir(t), os.DirFS(src))
	}
}

// V5 two functions
func clone(src, dst string) error {
	return filepath.Walk(src, func(p string, fi os.FileInfo, err error) error {
		if err != nil || fi.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dst, fi.Name()), b, 0o600)
	})
}
func batch(dsts []string, src string) {
	for _, d := range dsts {
		clone(src, d)
	}
}
