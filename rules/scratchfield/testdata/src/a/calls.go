package a

import (
	"encoding/binary"
	"io"
)

type numbers struct{ to io.Writer }

func (n *numbers) sink() func(uint64) error {
	return func(v uint64) error {
		var b [8]byte // want `b is allocated on each call`
		binary.LittleEndian.PutUint64(b[:], v)
		_, err := n.to.Write(b[:])
		return err
	}
}

func send(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

func (n *numbers) head(id uint32) error {
	var h [4]byte // want `h is allocated on each call of head, because send may keep`
	binary.BigEndian.PutUint32(h[:], id)
	return send(n.to, h[:])
}

// What follows is left alone.

func (n *numbers) apart(w io.Writer) func(uint64) error {
	return func(v uint64) error {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		_, err := w.Write(b[:])
		return err
	}
}

func total(b []byte) (sum int) {
	for _, x := range b {
		sum += int(x)
	}
	return sum
}

func (n *numbers) check(id uint32) int {
	var h [4]byte
	binary.BigEndian.PutUint32(h[:], id)
	return total(h[:])
}

func (n *numbers) beside(v uint64) {
	go func() {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		n.to.Write(b[:])
	}()
}
