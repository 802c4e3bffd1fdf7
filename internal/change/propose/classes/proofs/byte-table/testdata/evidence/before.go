// Package evidence counts the words of a text.
package evidence

// IsWord reports whether a byte belongs to a word.
func IsWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' // hot
}

// Words counts the words of a text.
func Words(text string) int {
	n, inside := 0, false
	for i := 0; i < len(text); i++ {
		is := IsWord(text[i])
		if is && !inside {
			n++
		}
		inside = is
	}
	return n
}
