package x15

import (
	"io"
	"os"
)

// V1 named type, field
type row string

type sink struct {
	w io.Writer
	n int
}

func (s *sink) Rows(rows []row) error {
	for _, r := range rows {
		n, err := s.w.Write([]byte(r))
		if err != nil {
			return err
		}
		s.n += n
	}
	return nil
}

// V2 closure, variable
func Notes(f *os.File, notes []string) error {
	put := func(note string) error {
		data := []byte(note)
		_, err := f.Write(data)
		return err
	}
	for _, n := range notes {
		if err := put(n); err != nil {
			return err
		}
	}
	return nil
}
