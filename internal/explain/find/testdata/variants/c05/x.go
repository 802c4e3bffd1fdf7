package c05

import (
	"encoding/binary"
	"io"
	"net"
)

// V1 renamed
type mac interface{ Write(p []byte) (int, error) }
type rx struct {
	h   mac
	seq uint32
}

func (r *rx) tick() {
	var hdr [4]byte
	binary.BigEndian.PutUint32(hdr[:], r.seq)
	r.h.Write(hdr[:])
}

// V2 method on other type
type conn struct{ c net.Conn }

func (c *conn) readLen() (uint16, error) {
	var b [2]byte
	if _, err := io.ReadFull(c.c, b[:]); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint16(b[:]), nil
}

// V3 closure
type st struct{ w io.Writer }

func (s *st) sink() func(uint64) {
	return func(v uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		s.w.Write(b[:])
	}
}

// V4 generic
type enc[T ~uint32] struct{ w io.Writer }

func (e *enc[T]) put(v T) error {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(v))
	_, err := e.w.Write(b[:])
	return err
}

// V5 two functions
func send(w io.Writer, b []byte) { w.Write(b) }

type frame struct {
	w  io.Writer
	id uint32
}

func (f *frame) head() {
	var h [4]byte
	binary.BigEndian.PutUint32(h[:], f.id)
	send(f.w, h[:])
}
