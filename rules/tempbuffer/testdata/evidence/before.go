// Package evidence counts the lines of a stream.
package evidence

import (
	"bytes"
	"io"
)

// Lines returns the number of line ends in a stream.
func Lines(r io.Reader) (int, error) {
	buf := make([]byte, 64*1024)
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
