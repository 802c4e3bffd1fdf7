package c59

import (
	"bytes"
	"encoding/binary"
	"io"
)

// V1 renamed
func header(w io.Writer, n uint32) error { return binary.Write(w, binary.LittleEndian, n) }

// V2 method
type rd struct{ r io.Reader }

func (d *rd) u16() (v uint16, err error) { err = binary.Read(d.r, binary.BigEndian, &v); return }

// V3 closure
func writer(b *bytes.Buffer) func(uint64) {
	return func(v uint64) { binary.Write(b, binary.BigEndian, v) }
}

// V4 generic
func puts[T uint32 | uint64](w io.Writer, xs []T) error {
	for _, x := range xs {
		if err := binary.Write(w, binary.LittleEndian, x); err != nil {
			return err
		}
	}
	return nil
}

// V5 two functions
func put(w io.Writer, v any) error       { return binary.Write(w, binary.BigEndian, v) }
func frame(w io.Writer, id uint32) error { return put(w, id) }
