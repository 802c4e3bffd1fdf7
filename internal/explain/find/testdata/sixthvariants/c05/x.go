package c05

import (
	"encoding/binary"
	"hash"
	"io"
)

// V1 embedded interface
type keyed struct {
	hash.Hash
	salt uint64
}

func (k *keyed) Bucket(name []byte) uint64 {
	var sum [32]byte
	k.Reset()
	k.Write(name)
	return binary.LittleEndian.Uint64(k.Sum(sum[:0])) ^ k.salt
}

// V2 named type, results
type word [4]byte

type encoder struct {
	w io.Writer
	n int
}

func (e *encoder) Uint32(v uint32) (int, error) {
	var b word
	binary.BigEndian.PutUint32(b[:], v)
	n, err := e.w.Write(b[:])
	e.n += n
	return n, err
}
