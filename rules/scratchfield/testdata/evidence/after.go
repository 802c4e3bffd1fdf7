// Package evidence seals messages with a counter as the nonce.
package evidence

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
)

// A Sealer seals the messages of one direction of a connection.
type Sealer struct {
	aead     cipher.AEAD
	count    uint64
	nonceBuf [12]byte // working memory of Seal
}

// New returns a Sealer for a key of 16 bytes.
func New(key []byte) (*Sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &Sealer{aead: aead}, err
}

// Seal appends the sealed message to dst.
func (s *Sealer) Seal(dst, message []byte) []byte {
	s.nonceBuf = [12]byte{}
	binary.LittleEndian.PutUint64(s.nonceBuf[4:], s.count)
	s.count++
	return s.aead.Seal(dst, s.nonceBuf[:], message, nil)
}
