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
	if err := binary.Read(r, binary.BigEndian, &h); err != nil {
		return 0, err
	}
	if err := binary.Write(w, binary.BigEndian, h); err != nil {
		return 0, err
	}
	check := crc32.NewIEEE()
	for range h.Count {
		var n uint64
		if err := binary.Read(r, binary.BigEndian, &n); err != nil { // target
			return 0, err
		}
		if err := binary.Write(io.MultiWriter(w, check), binary.BigEndian, n); err != nil {
			return 0, err
		}
		sum += n
	}
	var want uint32
	if err := binary.Read(r, binary.BigEndian, &want); err != nil {
		return 0, err
	}
	if got := check.Sum32(); got != want {
		return 0, fmt.Errorf("checksum %08x, not %08x", got, want)
	}
	return sum, binary.Write(w, binary.BigEndian, want)
}
