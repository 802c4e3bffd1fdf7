package x

import (
	"encoding/binary"
	"io"
)

// V1 other names
type frameOut struct{ dst io.Writer }

func (fo *frameOut) head(kind uint16, size uint32) error {
	var hd [6]byte
	binary.LittleEndian.PutUint16(hd[:2], kind)
	binary.LittleEndian.PutUint32(hd[2:], size)
	_, err := fo.dst.Write(hd[:])
	return err
}
