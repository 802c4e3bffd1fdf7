// Package evidence reads headers.
package evidence

import (
	"bytes"
	"encoding/binary"
	"io"
)

// A Header begins a packet.
type Header struct {
	Version uint32
	ID      [8]byte
}

// Parse reads a header, and returns how long it is.
func Parse(data []byte) (h Header, n int, err error) {
	r := bytes.NewReader(data)
	err = h.read(r)
	return h, len(data) - r.Len(), err
}

func (h *Header) read(r *bytes.Reader) error {
	for range 4 {
		b, err := r.ReadByte()
		if err != nil {
			return err
		}
		h.Version = h.Version<<8 | uint32(b)
	}
	if _, err := readFull(r, h.ID[:]); err != nil { // target
		return err
	}
	if binary.BigEndian.Uint64(h.ID[:]) == 0 {
		return io.ErrNoProgress
	}
	return nil
}

// readFull is io.ReadFull of a bytes.Reader, which need not be on the heap for it.
func readFull(r *bytes.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	if n == len(buf) {
		return n, nil
	}
	if n > 0 && err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
