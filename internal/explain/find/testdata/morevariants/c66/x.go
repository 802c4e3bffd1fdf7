package c66

import (
	"fmt"
	"os"
)

// V1 renamed
func commit(changes map[string][]byte) error {
	for p, b := range changes {
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

func (w *wal) appendAll(recs [][]byte) error {
	for _, r := range recs {
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
func syncer() func([]*os.File) error {
	return func(fs []*os.File) error {
		for _, f := range fs {
			if err := f.Sync(); err != nil {
				return err
			}
		}
		return nil
	}
}

// V4 generic
func Persist[T fmt.Stringer](f *os.File, vs []T) error {
	for _, v := range vs {
		f.WriteString(v.String())
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return nil
}

// V5 two functions
func writeDurable(p string, b []byte) error {
	f, err := os.Create(p)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Write(b)
	return f.Sync()
}
func writeEach(m map[string][]byte) error {
	for p, b := range m {
		if err := writeDurable(p, b); err != nil {
			return err
		}
	}
	return nil
}
