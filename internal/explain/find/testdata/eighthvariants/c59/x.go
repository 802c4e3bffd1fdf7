package c59

import (
	"bytes"
	"encoding/binary"
	"io"
)

// V1 two functions
type record struct {
	id    uint32
	score int64
}

func put(w io.Writer, v any) error { return binary.Write(w, binary.LittleEndian, v) }

func Encode(recs []record) ([]byte, error) {
	var buf bytes.Buffer
	for _, r := range recs {
		if err := put(&buf, r.id); err != nil {
			return nil, err
		}
		if err := put(&buf, r.score); err != nil {
			return nil, err
		}
	}
	return buf.Bytes(), nil
}
