package c35

import (
	"fmt"
	"io"
	"os"
)

// V1 renamed
func dump(out *os.File, rows []int) {
	for _, r := range rows {
		fmt.Fprintf(out, "%d\n", r)
	}
}

// V2 method
type lg struct{ f *os.File }

func (l *lg) all(ss []string) error {
	for i := range ss {
		if _, err := l.f.Write([]byte(ss[i])); err != nil {
			return err
		}
	}
	return nil
}

// V3 closure
func saver(path string) func([]string) error {
	return func(xs []string) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		for _, x := range xs {
			if _, err := io.WriteString(f, x); err != nil {
				return err
			}
		}
		return nil
	}
}

// V4 generic
func printAll[T any](f *os.File, xs []T) {
	for _, x := range xs {
		fmt.Fprintln(f, x)
	}
}

// V5 two functions
func put(f *os.File, s string) error { _, err := f.WriteString(s); return err }
func writeAll(f *os.File, xs []string) error {
	for _, x := range xs {
		if err := put(f, x); err != nil {
			return err
		}
	}
	return nil
}
