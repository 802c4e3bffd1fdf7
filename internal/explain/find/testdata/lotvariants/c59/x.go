package x

import (
	"bytes"
	"encoding/binary"
	"io"
)

// V5 across two functions
func pack(ids []uint32) []byte {
	var b bytes.Buffer
	for _, id := range ids {
		putID(&b, id)
	}
	return b.Bytes()
}
func putID(w io.Writer, id uint32) { _ = binary.Write(w, binary.BigEndian, id) }
