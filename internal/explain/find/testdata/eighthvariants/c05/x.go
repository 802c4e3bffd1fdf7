package c05

import (
	"encoding/binary"
	"io"
)

// V1 generic
type frames[W io.Writer] struct {
	dst W
	seq uint32
}

func (f *frames[W]) Header(size int) error {
	var hdr [8]byte
	binary.BigEndian.PutUint32(hdr[:4], f.seq)
	binary.BigEndian.PutUint32(hdr[4:], uint32(size))
	f.seq++
	_, err := f.dst.Write(hdr[:])
	return err
}
