package c59

import (
	"bytes"
	"encoding/binary"
)

// V1 renamed

type chunk struct {
	id      uint32
	flags   uint16
	payload []byte
}

func appendChunk(archive *bytes.Buffer, c chunk) error {
	if err := binary.Write(archive, binary.LittleEndian, c.id); err != nil {
		return err
	}
	if err := binary.Write(archive, binary.LittleEndian, c.flags); err != nil {
		return err
	}
	if err := binary.Write(archive, binary.LittleEndian, uint32(len(c.payload))); err != nil {
		return err
	}
	_, err := archive.Write(c.payload)
	return err
}
