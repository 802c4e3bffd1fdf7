package c16

import (
	"crypto/sha256"
	"hash"
	"sync"
)

// V1 package variable, hash, closure
var sums = sync.Pool{New: func() any { return sha256.New() }}

func Sum(parts [][]byte) []byte {
	h := sums.Get().(hash.Hash)
	defer func() { sums.Put(h) }()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}
