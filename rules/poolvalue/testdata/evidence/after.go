// Package evidence writes checksums through pooled buffers.
package evidence

import (
	"encoding/hex"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any {
	v := make([]byte, 0, 256)
	return &v
}}

// Hex writes p to w in hexadecimal.
func Hex(w io.Writer, p []byte) error {
	pooled := buffers.Get().(*[]byte)
	buf := (*pooled)[:0]
	buf = hex.AppendEncode(buf, p)
	_, err := w.Write(buf)
	*pooled = buf
	buffers.Put(pooled)
	return err
}
