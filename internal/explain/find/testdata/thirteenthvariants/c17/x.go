package c17

import (
	"encoding/hex"
	"io"
	"sync"
)

// V1 across two functions

var scratch = sync.Pool{New: func() any { return make([]byte, 0, 4096) }}

func takeScratch() []byte { return scratch.Get().([]byte)[:0] }

func giveScratch(b []byte) {
	if cap(b) <= 64<<10 {
		scratch.Put(b)
	}
}

func writeDigest(w io.Writer, sums [][]byte) error {
	b := takeScratch()
	for _, sum := range sums {
		b = hex.AppendEncode(b, sum)
		b = append(b, '\n')
	}
	_, err := w.Write(b)
	giveScratch(b)
	return err
}
