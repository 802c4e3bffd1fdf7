package c67

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// V1 renamed
func same(p, q string) (bool, error) {
	x, err := os.ReadFile(p)
	if err != nil {
		return false, err
	}
	y, err := os.ReadFile(q)
	if err != nil {
		return false, err
	}
	return bytes.Equal(x, y), nil
}

// V2 method
type merge struct{ a, b string }

func (m *merge) unchanged(rel string) bool {
	l, err1 := os.ReadFile(filepath.Join(m.a, rel))
	r, err2 := os.ReadFile(filepath.Join(m.b, rel))
	return err1 == nil && err2 == nil && string(l) == string(r)
}

// V3 closure
func comparer() func(a, b string) bool {
	return func(a, b string) bool {
		f, err := os.Open(a)
		if err != nil {
			return false
		}
		defer f.Close()
		g, err := os.Open(b)
		if err != nil {
			return false
		}
		defer g.Close()
		x, y := make([]byte, 4096), make([]byte, 4096)
		for {
			n, e1 := io.ReadFull(f, x)
			m, e2 := io.ReadFull(g, y)
			if !bytes.Equal(x[:n], y[:m]) {
				return false
			}
			if e1 != nil || e2 != nil {
				return e1 == e2
			}
		}
	}
}

// V4 generic
func SameFiles[S ~string](a, b S) bool {
	x, _ := os.ReadFile(string(a))
	y, _ := os.ReadFile(string(b))
	return bytes.Equal(x, y)
}

// V5 two functions
func content(p string) []byte {
	b, err := os.ReadFile(p)
	if err != nil {
		return nil
	}
	return b
}
func filesMatch(a, b string) bool { return bytes.Equal(content(a), content(b)) }
