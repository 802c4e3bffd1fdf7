package c05

import (
	"encoding/binary"
	"io"
)

// V2 method
type frameWriter struct{ out io.Writer }

func (f *frameWriter) header(length uint32, kind byte) error {
	var hdr [5]byte
	hdr[0] = kind
	binary.BigEndian.PutUint32(hdr[1:], length)
	_, err := f.out.Write(hdr[:])
	return err
}
