package c59

import (
	"bytes"
	"encoding/binary"
	"io"
)

// V1 renamed
func encode(vals []uint16) []byte {
	var out bytes.Buffer
	for _, v := range vals {
		binary.Write(&out, binary.LittleEndian, v)
	}
	return out.Bytes()
}

// V2 method
type pkt struct {
	id uint32
	n  int64
}

func (p *pkt) marshal(w io.Writer) error {
	if err := binary.Write(w, binary.BigEndian, p.id); err != nil {
		return err
	}
	return binary.Write(w, binary.BigEndian, p.n)
}

// V3 closure
func reader(r io.Reader) func() (uint32, error) {
	return func() (n uint32, err error) {
		err = binary.Read(r, binary.BigEndian, &n)
		return n, err
	}
}

// V4 generic
type fixed interface {
	~int32 | ~uint32 | ~int64 | ~uint64
}

func Put[N fixed](w io.Writer, n N) error { return binary.Write(w, binary.BigEndian, n) }

// V5 two functions
func put32(w io.Writer, v int32) error { return binary.Write(w, binary.BigEndian, v) }
func putAll(w io.Writer, vs []int32) error {
	for _, v := range vs {
		if err := put32(w, v); err != nil {
			return err
		}
	}
	return nil
}
