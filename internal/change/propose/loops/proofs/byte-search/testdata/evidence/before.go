// Package evidence reads the lines of a text.
package evidence

// Lines returns how many lines a text has, and how many bytes the longest of them has.
func Lines(data []byte) (lines, longest int) {
	for i := 0; i < len(data); i++ {
		from := i
		for i < len(data) && data[i] != '\n' {
			i++
		} // hot
		lines, longest = lines+1, max(longest, i-from)
	}
	return lines, longest
}
