// Package evidence writes checksums through pooled buffers.
package evidence

import (
	"encoding/hex"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return make([]byte, 0, 256) }}

// Hex writes p to w in hexadecimal.
func Hex(w io.Writer, p []byte) error {
	buf := buffers.Get().([]byte)[:0]
	buf = hex.AppendEncode(buf, p)
	_, err := w.Write(buf)
	buffers.Put(buf)
	return err
}
