package c27

import (
	"hash/crc32"
	"io"
	"os"
)

// V1 two functions
func open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func Sums(paths []string) ([]uint32, error) {
	sums := make([]uint32, 0, len(paths))
	for _, p := range paths {
		f, err := open(p)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		h := crc32.NewIEEE()
		if _, err := io.Copy(h, f); err != nil {
			return nil, err
		}
		sums = append(sums, h.Sum32())
	}
	return sums, nil
}
