package c59

import (
	"encoding/binary"
	"io"
)

// V4 generic
func readN[T any](r io.Reader, n int, conv func(uint32) T) ([]T, error) {
	out := make([]T, 0, n)
	for range n {
		var v uint32
		if err := binary.Read(r, binary.LittleEndian, &v); err != nil {
			return nil, err
		}
		out = append(out, conv(v))
	}
	return out, nil
}
