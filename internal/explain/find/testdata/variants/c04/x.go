package c04

import (
	"io"
)

func fill(b []byte) int {
	for i := range b {
		b[i] = 1
	}
	return len(b)
}

// V1 renamed
func sumFile(r io.Reader) (n int, err error) {
	chunk := make([]byte, 128*1024)
	for {
		k, err := r.Read(chunk)
		n += k
		if err != nil {
			return n, err
		}
	}
}

// V2 method
type dec struct{ r io.Reader }

func (d *dec) next() (int, error) {
	tmp := make([]byte, 1<<16)
	n, err := d.r.Read(tmp)
	return n, err
}

// V3 closure
func hasher(w io.Writer) func(io.Reader) (int64, error) {
	return func(r io.Reader) (int64, error) {
		b := make([]byte, 256<<10)
		return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, b)
	}
}

// V4 generic
func process[T any](r io.Reader, f func([]byte) T) (T, error) {
	var buf = make([]byte, 70000)
	n, err := r.Read(buf)
	var z T
	if err != nil {
		return z, err
	}
	_ = n
	return f(nil), nil
}

// V5 two functions, missed
func newBuf() []byte { return make([]byte, 96*1024) }
func drainAll(r io.Reader) (int, error) {
	b := newBuf()
	return r.Read(b)
}
