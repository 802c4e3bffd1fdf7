// Package evidence reads records that are preceded by their length and kind.
package evidence

import (
	"encoding/binary"
	"io"
)

// A Reader reads records. It is for one goroutine.
type Reader struct {
	src  io.Reader
	kind uint32
	left uint32
}

// New returns a Reader of src.
func New(src io.Reader) *Reader { return &Reader{src: src} }

// Next goes on to the next record and returns its kind and length. At the end
// it returns io.EOF.
func (r *Reader) Next() (kind, length uint32, err error) {
	r.kind, r.left = 0, 0
	var head [8]byte // target
	if _, err := io.ReadFull(r.src, head[:]); err != nil {
		return 0, 0, err
	}
	r.kind = binary.BigEndian.Uint32(head[:4])
	r.left = binary.BigEndian.Uint32(head[4:])
	return r.kind, r.left, nil
}
