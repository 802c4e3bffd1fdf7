// Package evidence looks through a log.
package evidence

import "bytes"

// Errors returns how many of some lines tell of an error.
func Errors(lines [][]byte) (n int) {
	for _, line := range lines {
		if bytes.Contains(line, []byte("error")) {
			n++
		}
	}
	return n
}
