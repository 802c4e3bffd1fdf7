package a

import (
	"bytes"
	"io"
	"os"
)

func whole(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	y, err := os.ReadFile(b)
	if err != nil {
		return false, err
	}
	return bytes.Equal(x, y), nil // want `both files are read to be compared: those of different sizes differ, and Stat tells without reading`
}

type tree struct{ a, b string }

func (t *tree) pieces() (bool, error) {
	fa, err := os.Open(t.a)
	if err != nil {
		return false, err
	}
	defer fa.Close()
	fb, err := os.Open(t.b)
	if err != nil {
		return false, err
	}
	defer fb.Close()
	x, y := make([]byte, 4096), make([]byte, 4096)
	for {
		n, errA := io.ReadFull(fa, x)
		m, errB := io.ReadFull(fb, y)
		if n != m || !bytes.Equal(x[:n], y[:m]) { // want `both files are read`
			return false, nil
		}
		if errA != nil || errB != nil {
			return errA == errB, nil
		}
	}
}

func closure(a string) func(string) bool {
	return func(b string) bool {
		x, _ := os.ReadFile(a)
		y, _ := os.ReadFile(b)
		return string(x) != string(y) // want `both files are read`
	}
}

func generic[T ~string](a, b T) int {
	x, _ := os.ReadFile(string(a))
	y, _ := os.ReadFile(string(b))
	return bytes.Compare(x, y) // want `both files are read`
}

// What follows is left alone.

func gated(a, b string) bool {
	ia, _ := os.Stat(a)
	ib, _ := os.Stat(b)
	if ia.Size() != ib.Size() {
		return false
	}
	x, _ := os.ReadFile(a)
	y, _ := os.ReadFile(b)
	return bytes.Equal(x, y)
}

func against(a string, want []byte) bool {
	x, _ := os.ReadFile(a)
	return bytes.Equal(x, want)
}

func input(a string) bool {
	x, _ := os.ReadFile(a)
	y, _ := io.ReadAll(os.Stdin)
	return bytes.Equal(x, y)
}

func changed(a, b string) bool {
	x, _ := os.ReadFile(a)
	y, _ := os.ReadFile(b)
	x = bytes.TrimSpace(x)
	return bytes.Equal(x, y)
}

func texts(a, b []byte) bool { return string(a) == string(b) }

func checked(a, b string) bool {
	x, _ := os.Stat(a)
	y, _ := os.Stat(b)
	return x.Size() == y.Size() && same(a, b)
}

func same(a, b string) bool {
	x, _ := os.ReadFile(a)
	y, _ := os.ReadFile(b)
	return bytes.Equal(x, y)
}

func differ(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && x.Size() != y.Size()
}

func differing(a, b string) bool {
	if differ(a, b) {
		return true
	}
	x, _ := os.ReadFile(a)
	y, _ := os.ReadFile(b)
	return !bytes.Equal(x, y)
}
