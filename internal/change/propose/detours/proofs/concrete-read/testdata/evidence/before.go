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
	if _, err := io.ReadFull(r, h.ID[:]); err != nil { // target
		return err
	}
	if binary.BigEndian.Uint64(h.ID[:]) == 0 {
		return io.ErrNoProgress
	}
	return nil
}
