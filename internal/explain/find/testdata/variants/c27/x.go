package c27

import (
	"database/sql"
	"io"
	"net/http"
	"os"
)

// V1 renamed
func sizes(paths []string) (n int64, err error) {
	for i := 0; i < len(paths); i++ {
		fh, err := os.Open(paths[i])
		if err != nil {
			return 0, err
		}
		defer fh.Close()
		st, err := fh.Stat()
		if err != nil {
			return 0, err
		}
		n += st.Size()
	}
	return n, nil
}

// V2 method
type fetcher struct{ c *http.Client }

func (f *fetcher) all(urls []string) error {
	for _, u := range urls {
		r, err := f.c.Get(u)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return err
		}
	}
	return nil
}

// V3 closure
func job(db *sql.DB, qs []string) func() error {
	return func() error {
		for _, q := range qs {
			rows, err := db.Query(q)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
			}
		}
		return nil
	}
}

// V4 generic
func eachFile[T any](xs []T, name func(T) string, use func(*os.File) error) error {
	for _, x := range xs {
		f, err := os.Create(name(x))
		if err != nil {
			return err
		}
		defer f.Close()
		if err := use(f); err != nil {
			return err
		}
	}
	return nil
}

// V5 two functions
func open(name string) (io.ReadCloser, error) { return os.Open(name) }
func cat(w io.Writer, names []string) error {
	for _, n := range names {
		r, err := open(n)
		if err != nil {
			return err
		}
		defer r.Close()
		if _, err := io.Copy(w, r); err != nil {
			return err
		}
	}
	return nil
}
