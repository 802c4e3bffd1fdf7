package c54

import (
	"os"
	"path/filepath"
	"runtime"
)

// V2 method, missed

type segment struct{ file *os.File }

func (s *segment) release() { s.file.Close() }

type segmentStore struct{ dir string }

func (st *segmentStore) open(name string) (*segment, error) {
	f, err := os.Open(filepath.Join(st.dir, name))
	if err != nil {
		return nil, err
	}
	seg := &segment{file: f}
	runtime.SetFinalizer(seg, func(s *segment) { s.release() })
	return seg, nil
}
