package c69

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// V1 renamed
func appendLines(path string, lines []string) error {
	for _, l := range lines {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		f.WriteString(l)
		f.Close()
	}
	return nil
}

// V2 method
type txfs struct{ root string }

func (t *txfs) writeAll(names []string, data []byte) error {
	for _, n := range names {
		base := filepath.Clean(t.root)
		if err := os.WriteFile(filepath.Join(base, n), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// V3 closure
func maker(dir string) func([]string) error {
	return func(fs []string) error {
		for _, f := range fs {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, f), nil, 0o644); err != nil {
				return err
			}
		}
		return nil
	}
}

// V4 generic
func Save[T fmt.Stringer](dir string, vs []T) error {
	for i, v := range vs {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), []byte(v.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// V5 two functions
func ensure(dir string) error { return os.MkdirAll(dir, 0o755) }
func saveAll(dir string, names []string) error {
	for _, n := range names {
		if err := ensure(dir); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}
