// Package evidence looks documents up by their content.
package evidence

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Cache holds documents.
type Cache map[string]int

// Find returns the document with a content.
func (c Cache) Find(content []byte) int {
	h := sha256.New()
	h.Write(content)
	var name [64]byte
	hex.Encode(name[:], h.Sum(nil)) // target
	return c[string(name[:])]
}
