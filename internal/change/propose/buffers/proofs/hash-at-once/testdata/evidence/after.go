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
	sum := sha256.Sum256(content)
	var name [64]byte
	hex.Encode(name[:], sum[:]) // target
	return c[string(name[:])]
}
