package c35

import (
	"encoding/binary"
	"io"
	"os"
)

// V2 method, missed
type archive struct {
	path string
}

func (a *archive) sizes() (sizes []uint32, err error) {
	f, err := os.Open(a.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	word := make([]byte, 4)
	for {
		if _, err := io.ReadFull(f, word); err == io.EOF {
			return sizes, nil
		} else if err != nil {
			return nil, err
		}
		sizes = append(sizes, binary.LittleEndian.Uint32(word))
	}
}
