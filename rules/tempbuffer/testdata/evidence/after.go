// Package evidence counts the lines of a stream.
package evidence

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any {
	b := make([]byte, 64*1024)
	return &b
}}

// Lines returns the number of line ends in a stream.
func Lines(r io.Reader) (int, error) {
	pooled := buffers.Get().(*[]byte)
	defer buffers.Put(pooled)
	buf := *pooled
	lines := 0
	for {
		n, err := r.Read(buf)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return 0, err
		}
	}
}
