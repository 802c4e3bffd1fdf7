package c27

import (
	"database/sql"
	"io"
	"os"
	"sync"
)

// V1 renamed
func catAll(paths []string, w io.Writer) error {
	for _, p := range paths {
		in, err := os.Open(p)
		if err != nil {
			return err
		}
		defer in.Close()
		if _, err := io.Copy(w, in); err != nil {
			return err
		}
	}
	return nil
}

// V2 method, missed
type bank struct{ mus []*sync.Mutex }

func (b *bank) each(f func(int)) {
	for i := range b.mus {
		b.mus[i].Lock()
		defer b.mus[i].Unlock()
		f(i)
	}
}

// V3 closure
func runner(db *sql.DB) func([]string) error {
	return func(qs []string) error {
		for _, q := range qs {
			rows, err := db.Query(q)
			if err != nil {
				return err
			}
			defer rows.Close()
		}
		return nil
	}
}

// V4 generic
func CloseAll[C io.Closer](open func(string) (C, error), names []string) error {
	for _, n := range names {
		c, err := open(n)
		if err != nil {
			return err
		}
		defer c.Close()
	}
	return nil
}

// V5 two functions
func openLog(n string) (*os.File, error) { return os.Open(n) }
func sizes(names []string) (t int64, err error) {
	for _, n := range names {
		f, err := openLog(n)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		fi, err := f.Stat()
		if err != nil {
			return 0, err
		}
		t += fi.Size()
	}
	return t, nil
}
