package c05

import (
	"encoding/binary"
	"io"
)

// V1 method, slice of the array in a variable that append extends
type Encoder struct {
	dst     io.Writer
	written int64
}

func (e *Encoder) Header(kind uint16, length uint32) error {
	var scratch [6]byte
	head := binary.BigEndian.AppendUint16(scratch[:0], kind)
	head = binary.BigEndian.AppendUint32(head, length)
	n, err := e.dst.Write(head)
	e.written += int64(n)
	return err
}
