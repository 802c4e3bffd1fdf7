package profile

import (
	"errors"
	"fmt"
)

// Protobuf's ways to write a value.
const (
	asVarint  = 0
	asFixed64 = 1
	asBytes   = 2
	asFixed32 = 5
)

var (
	errVarint = errors.New("a number has no end")
	errShort  = errors.New("a field goes on after the end")
	errKind   = errors.New("a field has the wrong type")
)

// A field is one of a message: a number, or bytes.
type field struct {
	num   int
	wire  int
	value uint64
	bytes []byte
}

// uvarint returns a number and how many bytes it has, 0 for one without an end.
// Bits beyond 64 are dropped, as google's package does it.
func uvarint(b []byte) (v uint64, n int) {
	for i, c := range b {
		if i == 10 {
			return 0, 0
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// cut takes the first field off a message.
func cut(b []byte) (f field, rest []byte, err error) {
	tag, n := uvarint(b)
	if n == 0 {
		return f, nil, errVarint
	}
	f.num, f.wire, b = int(tag>>3), int(tag&7), b[n:]
	switch f.wire {
	case asVarint:
		if f.value, n = uvarint(b); n == 0 {
			return f, nil, errVarint
		}
		return f, b[n:], nil
	case asBytes:
		size, n := uvarint(b)
		switch {
		case n == 0:
			return f, nil, errVarint
		case size > uint64(len(b)-n):
			return f, nil, errShort
		}
		f.bytes = b[n : n+int(size)]
		return f, b[n+int(size):], nil
	case asFixed64, asFixed32: // no field of a profile is written so
		n := 8
		if f.wire == asFixed32 {
			n = 4
		}
		if len(b) < n {
			return f, nil, errShort
		}
		return f, b[n:], nil
	}
	return f, nil, errWire(f.wire)
}

func errWire(wire int) error { return fmt.Errorf("a field has type %d, which there is not", wire) }

// numbers reads a message of numbers alone: that of field i goes to out[i],
// and fields beyond that are left out.
func (f field) numbers(out []uint64) error {
	if f.wire != asBytes {
		return errKind
	}
	for b := f.bytes; len(b) > 0; {
		var n field
		var err error
		if n, b, err = cut(b); err != nil {
			return err
		}
		if n.num <= 0 || n.num >= len(out) {
			continue
		}
		if n.wire != asVarint {
			return errKind
		}
		out[n.num] = n.value
	}
	return nil
}

// eachNumber calls f for each of a repeated field's numbers, which stand alone
// or packed.
func (f field) eachNumber(do func(uint64)) error {
	if f.wire == asVarint {
		do(f.value)
		return nil
	}
	if f.wire != asBytes {
		return errKind
	}
	for b := f.bytes; len(b) > 0; {
		v, n := uvarint(b)
		if n == 0 {
			return errVarint
		}
		do(v)
		b = b[n:]
	}
	return nil
}
