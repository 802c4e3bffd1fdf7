package c04

import (
	"hash/crc32"
	"io"
)

// V1 renamed

func checksumStream(src io.Reader) (uint32, error) {
	chunk := make([]byte, 128<<10)
	sum := uint32(0)
	for {
		n, err := src.Read(chunk)
		sum = crc32.Update(sum, crc32.IEEETable, chunk[:n])
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return 0, err
		}
	}
}
