package c05

import (
	"encoding/binary"
	"io"
)

type sealer interface {
	Seal(dst, nonce, text, extra []byte) []byte
}

// V1 renamed
type stream struct {
	aead  sealer
	count uint64
}

func (s *stream) Encode(msg []byte) []byte {
	var iv [12]byte
	binary.LittleEndian.PutUint64(iv[4:], s.count)
	s.count++
	return s.aead.Seal(nil, iv[:], msg, nil)
}

// V2 method
type framer struct{ w io.Writer }

func (f *framer) writeHead(n uint32) error {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], n)
	_, err := f.w.Write(head[:])
	return err
}

// V3 closure
type sender struct{ out io.Writer }

func (s *sender) emit() func(v uint64) error {
	return func(v uint64) error {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], v)
		_, err := s.out.Write(b[:])
		return err
	}
}

// V4 generic
type Channel[C sealer] struct {
	box C
	seq uint64
}

func (c *Channel[C]) Send(p []byte) []byte {
	var nonce [12]byte
	binary.BigEndian.PutUint64(nonce[4:], c.seq)
	c.seq++
	return c.box.Seal(nil, nonce[:], p, nil)
}

// V5 two functions, missed
type link struct {
	c sealer
	n uint64
}

func (l *link) seal(nonce, p []byte) []byte { return l.c.Seal(nil, nonce, p, nil) }
func (l *link) Push(p []byte) []byte {
	var nonce [12]byte
	binary.LittleEndian.PutUint64(nonce[4:], l.n)
	l.n++
	return l.seal(nonce[:], p)
}
