package c54

import (
	"os"
	"runtime"
)

// V1 two functions
type segment struct {
	file *os.File
	size int64
}

func (s *segment) release() { s.file.Close() }

func track(s *segment) *segment {
	runtime.SetFinalizer(s, (*segment).release)
	return s
}

func Load(path string) (*segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return track(&segment{file: f}), nil
}
