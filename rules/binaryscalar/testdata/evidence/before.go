// Package evidence encodes numbers.
package evidence

import (
	"bytes"
	"encoding/binary"
)

// Encode appends the numbers to a buffer.
func Encode(buf *bytes.Buffer, numbers []int32) {
	for _, n := range numbers {
		binary.Write(buf, binary.BigEndian, n)
	}
}

// Point appends a point.
func Point(buf *bytes.Buffer, kind uint8, x, y float64) error {
	if err := binary.Write(buf, binary.LittleEndian, kind); err != nil {
		return err
	}
	if err := binary.Write(buf, binary.LittleEndian, x); err != nil {
		return err
	}
	err := binary.Write(buf, binary.LittleEndian, y)
	return err
}
