package a

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

type txfs struct {
	root    string
	changes map[string][]byte
}

// All changes in order, and a sync for each.
func (fs *txfs) Commit() error {
	var keys []string
	for k := range fs.changes {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if err := fs.replace(k, fs.changes[k]); err != nil {
			return err
		}
	}
	return nil
}

func (fs *txfs) replace(name string, data []byte) error {
	tmp := filepath.Join(fs.root, name+".tmp")
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil { // want `Sync of one file waits for the disk; .*, and replace is called in a loop at a.go:23`
		return err
	}
	return os.Rename(tmp, filepath.Join(fs.root, name))
}

func flush(files []*os.File) error {
	for _, f := range files {
		if err := f.Sync(); err != nil { // want `in each iteration; files that are safe together`
			return err
		}
	}
	return nil
}

func generic[T any](all []T, open func(T) *os.File) {
	for i := 0; i < len(all); i++ {
		func() {
			f := open(all[i])
			defer f.Close()
			f.Sync() // want `and generic is called in a loop at a.go:69`
		}()
	}
}

func generics(all [][]string, open func(string) *os.File) {
	for _, names := range all {
		func() {
			println(len(names))
		}()
		generic(names, open)
	}
}

// What follows is left alone.

func save(name string, data []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync() // one file
}

func log(f *os.File, lines <-chan string) {
	for line := range lines { // what has come in between
		f.WriteString(line)
		f.Sync()
	}
}

func periodically(f *os.File, t *time.Ticker) {
	for i := 0; i < 10; i++ {
		<-t.C
		f.Sync()
	}
}

func forever(f *os.File, next func() string) {
	for {
		f.WriteString(next())
		f.Sync()
	}
}
