package c66

import (
	"os"
)

// V1 renamed
func saveAll(m map[string][]byte) error {
	for p, b := range m {
		f, err := os.Create(p)
		if err != nil {
			return err
		}
		f.Write(b)
		if err := f.Sync(); err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// V2 method
type wal struct{ f *os.File }

func (w *wal) append(rs [][]byte) error {
	for _, r := range rs {
		if _, err := w.f.Write(r); err != nil {
			return err
		}
		if err := w.f.Sync(); err != nil {
			return err
		}
	}
	return nil
}

// V3 closure
func flusher(fs []*os.File) func() {
	return func() {
		for _, f := range fs {
			f.Sync()
		}
	}
}

// V4 generic
func persist[T any](xs []T, name func(T) string, enc func(T) []byte) error {
	for _, x := range xs {
		f, err := os.Create(name(x))
		if err != nil {
			return err
		}
		f.Write(enc(x))
		f.Sync()
		f.Close()
	}
	return nil
}

// V5 two functions
func writeSync(p string, b []byte) error {
	f, err := os.Create(p)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Write(b)
	return f.Sync()
}
func many(ps []string) error {
	for _, p := range ps {
		if err := writeSync(p, nil); err != nil {
			return err
		}
	}
	return nil
}
