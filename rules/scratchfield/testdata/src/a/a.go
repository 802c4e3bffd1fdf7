package a

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"hash"
	"io"
	"sync"
)

// The shape of the seed: a nonce for an AEAD.
type sealer struct {
	aead    cipher.AEAD
	counter uint64
}

func (s *sealer) seal(dst, plain []byte) []byte {
	var nonce [12]byte // want `nonce is allocated on each call of seal, because s.aead.Seal may keep the slice`
	binary.LittleEndian.PutUint64(nonce[4:], s.counter)
	s.counter++
	return s.aead.Seal(dst, nonce[:], plain, nil)
}

type frames struct {
	r   io.Reader
	max uint32
}

const headerSize = 4

func (f *frames) next() ([]byte, error) {
	head := make([]byte, headerSize) // want `io.ReadFull may keep`
	if _, err := io.ReadFull(f.r, head); err != nil {
		return nil, err
	}
	body := make([]byte, min(binary.BigEndian.Uint32(head), f.max))
	_, err := io.ReadFull(f.r, body)
	return body, err
}

type oneLine struct{ w io.Writer }

func (o *oneLine) put(c byte) error {
	b := [1]byte{} // want `o.w.Write may keep`
	b[0] = c
	_, err := o.w.Write(b[:])
	return err
}

type taken struct {
	w      io.Writer
	bufBuf int
}

func (t *taken) put(c byte) error {
	var buf [2]byte // want `t.w.Write`
	buf[1] = c
	_, err := t.w.Write(buf[:])
	t.bufBuf++
	return err
}

// Reports only, since the type or the callee speaks against a field.

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) put(c byte) {
	var b [1]byte // want `allocated on each call of put`
	b[0] = c
	l.w.Write(b[:])
}

type documented struct{ w io.Writer }

// put may be called by several goroutines.
func (d *documented) put(c byte) {
	var b [1]byte // want `allocated on each call`
	b[0] = c
	d.w.Write(b[:])
}

type background struct{ w io.Writer }

func (b *background) start() { go b.put(1) }

func (b *background) put(c byte) {
	var buf [1]byte // want `allocated on each call`
	buf[0] = c
	b.w.Write(buf[:])
}

type compared struct{ w io.Writer }

func (c *compared) put(x byte) {
	var b [1]byte // want `allocated on each call`
	b[0] = x
	c.w.Write(b[:])
}

func same(a, b compared) bool { return a == b }

type unkeyed struct{ w io.Writer }

func newUnkeyed(w io.Writer) *unkeyed { return &unkeyed{w} }

func (u *unkeyed) put(x byte) {
	var b [1]byte // want `allocated on each call`
	b[0] = x
	u.w.Write(b[:])
}

type copied struct{ w io.Writer }

func (c copied) name() string { return "copied" }

func (c *copied) put(x byte) {
	var b [1]byte // want `allocated on each call`
	b[0] = x
	c.w.Write(b[:])
}

type recursive struct{ w io.Writer }

func (r *recursive) put(x byte) {
	var b [1]byte // want `allocated on each call`
	b[0] = x
	if x > 0 {
		r.put(x - 1)
	}
	r.w.Write(b[:])
}

type sums struct{ h hash.Hash }

func (s *sums) sum() byte {
	var b [32]byte           // want `s.h.Sum may keep`
	return s.h.Sum(b[:0])[0] // of what it returns only a byte goes on
}

func (s *sums) all() []byte {
	var b [32]byte        // want `s.h.Sum may keep`
	return s.h.Sum(b[:0]) // which returns it
}

type keeper interface{ Keep([]byte) }

type unknown struct{ k keeper }

func (u *unknown) put() {
	var b [8]byte // want `u.k.Keep may keep`
	u.k.Keep(b[:])
}

// A promised may be used by multiple goroutines.
type promised struct{ w io.Writer }

func (p *promised) put(c byte) {
	var b [1]byte // want `allocated on each call`
	b[0] = c
	p.w.Write(b[:])
}

type global struct{ w io.Writer }

var standard = &global{}

func (g *global) put(c byte) {
	var b [1]byte // want `allocated on each call`
	b[0] = c
	g.w.Write(b[:])
}

// What follows is left alone.

func (s *sealer) returned(plain []byte) []byte {
	var nonce [12]byte
	s.aead.Seal(nil, nonce[:], plain, nil)
	return nonce[:]
}

type value struct{ w io.Writer }

func (v value) put(x byte) {
	var b [1]byte
	b[0] = x
	v.w.Write(b[:])
}

func function(w io.Writer, x byte) {
	var b [1]byte
	b[0] = x
	w.Write(b[:])
}

func (f *frames) static(x uint32) byte {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], x)
	return b[3]
}

func (f *frames) large() {
	var b [4096]byte
	f.r.Read(b[:])
}

func (f *frames) captured() func() {
	var b [4]byte
	f.r.Read(b[:])
	return func() { f.r.Read(b[:]) }
}

func (f *frames) late() {
	var b [4]byte
	defer f.r.Read(b[:])
	go f.r.Read(b[:])
}

func (f *frames) stored(all [][]byte) [][]byte {
	var b [4]byte
	f.r.Read(b[:])
	s := b[:]
	return append(all, s)
}

func (f *frames) variable(n int) byte {
	b := make([]byte, n)
	f.r.Read(b)
	return b[0]
}

func (f *frames) pointers(w interface{ Take([]*int) }) {
	var b [4]*int
	w.Take(b[:])
}

// The reader is read after the method returned.
func (f *frames) peek(keep *io.Reader) {
	buf := make([]byte, 64)
	n, _ := io.ReadFull(f.r, buf)
	*keep = bytes.NewReader(buf[:n])
}
