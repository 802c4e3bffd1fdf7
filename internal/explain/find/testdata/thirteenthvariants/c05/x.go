package c05

import (
	"crypto/cipher"
	"encoding/binary"
	"io"
)

// V1 generic code

type recordWriter[A cipher.AEAD] struct {
	aead A
	out  io.Writer
	seq  uint64
	buf  []byte
}

func (w *recordWriter[A]) WriteRecord(kind byte, payload []byte) error {
	var nonce [12]byte
	binary.BigEndian.PutUint64(nonce[4:], w.seq)
	w.seq++
	w.buf = append(w.buf[:0], kind)
	w.buf = w.aead.Seal(w.buf, nonce[:], payload, w.buf[:1])
	_, err := w.out.Write(w.buf)
	return err
}
