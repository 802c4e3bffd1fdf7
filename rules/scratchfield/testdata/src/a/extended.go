package a

import (
	"encoding/binary"
	"io"
)

type heads struct {
	dst io.Writer
	n   int
}

func (h *heads) write(kind uint16, size uint32) error {
	var room [6]byte // want `room is allocated on each call of write, because h.dst.Write may keep the slice`
	head := binary.BigEndian.AppendUint16(room[:0], kind)
	head = binary.BigEndian.AppendUint32(head, size)
	n, err := h.dst.Write(head)
	h.n += n
	return err
}

// What follows is left alone.

type tails struct {
	dst  io.Writer
	last []byte
}

func (t *tails) returned(kind uint16) []byte {
	var room [6]byte
	head := binary.BigEndian.AppendUint16(room[:0], kind)
	t.dst.Write(head)
	return head
}

func (t *tails) stored(kind uint16) {
	var room [6]byte
	head := binary.BigEndian.AppendUint16(room[:0], kind)
	t.dst.Write(head)
	t.last = head
}
