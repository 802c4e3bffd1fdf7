package c66

import (
	"os"
	"slices"
)

// V2 method
type tx struct{ changes map[string][]byte }

func (t *tx) commit() error {
	names := make([]string, 0, len(t.changes))
	for n := range t.changes {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if err := put(n, t.changes[n]); err != nil {
			return err
		}
	}
	return nil
}

func put(name string, data []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}
