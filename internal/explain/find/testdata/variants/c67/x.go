package c67

import (
	"bytes"
	"os"
	"path/filepath"
)

// V1 renamed
func same(a, b string) bool {
	x, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	y, err := os.ReadFile(b)
	return err == nil && bytes.Equal(x, y)
}

// V2 method, missed
type sy struct{ root string }

func (s *sy) changed(p string, want []byte) bool {
	got, err := os.ReadFile(filepath.Join(s.root, p))
	return err != nil || !bytes.Equal(got, want)
}

// V3 closure
func cmpFn() func(string, string) (bool, error) {
	return func(p, q string) (bool, error) {
		f, err := os.ReadFile(p)
		if err != nil {
			return false, err
		}
		g, err := os.ReadFile(q)
		if err != nil {
			return false, err
		}
		return string(f) == string(g), nil
	}
}

// V4 generic
func eq[S ~string](a, b S) bool {
	p, _ := os.ReadFile(string(a))
	q, _ := os.ReadFile(string(b))
	return bytes.Compare(p, q) == 0
}

// V5 two functions
func rd(p string) []byte     { b, _ := os.ReadFile(p); return b }
func equal(a, b string) bool { return bytes.Equal(rd(a), rd(b)) }
