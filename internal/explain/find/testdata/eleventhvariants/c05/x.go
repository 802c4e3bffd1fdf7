package c05

import (
	"encoding/binary"
	"io"
)

// V1 renamed

type recordWriter struct {
	dst io.Writer
	seq uint32
}

func (rw *recordWriter) begin(kind uint8, size int) error {
	var head [9]byte
	head[0] = kind
	binary.BigEndian.PutUint32(head[1:5], rw.seq)
	binary.BigEndian.PutUint32(head[5:], uint32(size))
	rw.seq++
	_, err := rw.dst.Write(head[:])
	return err
}
