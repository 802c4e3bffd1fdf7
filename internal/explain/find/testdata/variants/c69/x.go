package c69

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// V1 renamed
func write(dir string, xs map[string]string) error {
	for n, s := range xs {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, n), []byte(s), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// V2 method
type ex struct{ out string }

func (e *ex) all(ns []string) {
	for _, n := range ns {
		base, _ := filepath.Abs(e.out)
		fmt.Println(base, n)
	}
}

// V3 closure
func rels(root string) func([]string) []string {
	return func(ps []string) (o []string) {
		for _, p := range ps {
			o = append(o, strings.TrimPrefix(p, filepath.Clean(root)))
		}
		return
	}
}

// V4 generic
func store[T any](d string, xs []T, f func(string, T)) {
	for _, x := range xs {
		os.MkdirAll(d, 0o700)
		f(d, x)
	}
}

// V5 two functions
func ensure(d string) error { return os.MkdirAll(d, 0o755) }
func outAll(d string, ns []string) error {
	for range ns {
		if err := ensure(d); err != nil {
			return err
		}
	}
	return nil
}
