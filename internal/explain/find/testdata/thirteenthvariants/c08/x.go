package c08

import (
	"encoding/binary"
	"fmt"
	"io"
)

// V1 method

const maxFrame = 1 << 20

type frameDecoder struct {
	in  io.Reader
	hdr [4]byte
	buf []byte
}

func (d *frameDecoder) next() ([]byte, error) {
	if _, err := io.ReadFull(d.in, d.hdr[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(d.hdr[:])
	if size == 0 {
		return nil, fmt.Errorf("frame decoder: empty frame")
	}
	if size > maxFrame {
		return nil, fmt.Errorf("frame decoder: frame exceeds limit")
	}
	if cap(d.buf) < int(size) {
		d.buf = make([]byte, size)
	}
	d.buf = d.buf[:size]
	_, err := io.ReadFull(d.in, d.buf)
	return d.buf, err
}
