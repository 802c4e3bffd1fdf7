package x

import (
	"os"
	"runtime"
)

// V2 in a method
type segment struct{ f *os.File }
type journal struct{ dir string }

func (j *journal) open(n string) (*segment, error) {
	f, err := os.Open(j.dir + "/" + n)
	if err != nil {
		return nil, err
	}
	s := &segment{f: f}
	runtime.SetFinalizer(s, func(s *segment) { s.f.Close() })
	return s, nil
}
func (s *segment) read(p []byte) (int, error) { return s.f.Read(p) }
