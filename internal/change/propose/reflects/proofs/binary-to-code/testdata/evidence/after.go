// Package evidence copies frames: a head, numbers, and a checksum.
package evidence

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// A Head is what a frame begins with.
type Head struct {
	Magic [4]byte
	Kind  uint16
	_     uint16
	Count uint32
}

// Copy copies a frame and returns the sum of its numbers.
func Copy(w io.Writer, r io.Reader) (sum uint64, err error) {
	var h Head
	if err := readHeadBE(r, &h); err != nil {
		return 0, err
	}
	if err := writeHeadBE(w, h); err != nil {
		return 0, err
	}
	check := crc32.NewIEEE()
	var buf [8]byte
	for range h.Count {
		var n uint64
		if err := readUint64BE(r, buf[:], &n); err != nil { // target
			return 0, err
		}
		if err := writeUint64BE(io.MultiWriter(w, check), buf[:], n); err != nil {
			return 0, err
		}
		sum += n
	}
	var want uint32
	if err := readUint32BE(r, buf[:], &want); err != nil {
		return 0, err
	}
	if got := check.Sum32(); got != want {
		return 0, fmt.Errorf("checksum %08x, not %08x", got, want)
	}
	return sum, writeUint32BE(w, buf[:], want)
}

// readHeadBE reads x as binary.Read does, without reflection.
func readHeadBE(r io.Reader, x *Head) error {
	var buf [12]byte
	if _, err := io.ReadFull(r, buf[:]); err != nil {
		return err
	}
	copy(x.Magic[:], buf[:])
	x.Kind = binary.BigEndian.Uint16(buf[4:])
	x.Count = binary.BigEndian.Uint32(buf[8:])
	return nil
}

// writeHeadBE writes x as binary.Write does, without reflection.
func writeHeadBE(w io.Writer, x Head) error {
	var buf [12]byte
	copy(buf[:], x.Magic[:])
	binary.BigEndian.PutUint16(buf[4:], x.Kind)
	binary.BigEndian.PutUint32(buf[8:], x.Count)
	_, err := w.Write(buf[:])
	return err
}

// readUint64BE reads x as binary.Read does, without reflection; buf is scratch space.
func readUint64BE(r io.Reader, buf []byte, x *uint64) error {
	if _, err := io.ReadFull(r, buf[:8]); err != nil {
		return err
	}
	*x = binary.BigEndian.Uint64(buf)
	return nil
}

// writeUint64BE writes x as binary.Write does, without reflection; buf is scratch space.
func writeUint64BE(w io.Writer, buf []byte, x uint64) error {
	binary.BigEndian.PutUint64(buf, x)
	_, err := w.Write(buf[:8])
	return err
}

// readUint32BE reads x as binary.Read does, without reflection; buf is scratch space.
func readUint32BE(r io.Reader, buf []byte, x *uint32) error {
	if _, err := io.ReadFull(r, buf[:4]); err != nil {
		return err
	}
	*x = binary.BigEndian.Uint32(buf)
	return nil
}

// writeUint32BE writes x as binary.Write does, without reflection; buf is scratch space.
func writeUint32BE(w io.Writer, buf []byte, x uint32) error {
	binary.BigEndian.PutUint32(buf, x)
	_, err := w.Write(buf[:4])
	return err
}
