// Package evidence encodes numbers.
package evidence

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Encode appends the numbers to a buffer.
func Encode(buf *bytes.Buffer, numbers []int32) {
	for _, n := range numbers {
		buf.Write(binary.BigEndian.AppendUint32(buf.AvailableBuffer(), uint32(n)))
	}
}

// Point appends a point.
func Point(buf *bytes.Buffer, kind uint8, x, y float64) error {
	if err := buf.WriteByte(kind); err != nil {
		return err
	}
	if _, err := buf.Write(binary.LittleEndian.AppendUint64(buf.AvailableBuffer(), math.Float64bits(x))); err != nil {
		return err
	}
	_, err := buf.Write(binary.LittleEndian.AppendUint64(buf.AvailableBuffer(), math.Float64bits(y)))
	return err
}
