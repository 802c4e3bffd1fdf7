// Package evidence reads the lines of a text.
package evidence

import "bytes"

// Lines returns how many lines a text has, and how many bytes the longest of them has.
func Lines(data []byte) (lines, longest int) {
	for i := 0; i < len(data); i++ {
		from := i
		if i < len(data) {
			if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(data)
			}
		} // hot
		lines, longest = lines+1, max(longest, i-from)
	}
	return lines, longest
}
