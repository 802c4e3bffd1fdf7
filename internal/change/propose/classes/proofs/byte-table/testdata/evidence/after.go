// Package evidence counts the words of a text.
package evidence

// isWordTable has the bytes that IsWord is true of.
// hot
var isWordTable = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true,
	'8': true, '9': true, 'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true,
	'G': true, 'H': true, 'I': true, 'J': true, 'K': true, 'L': true, 'M': true, 'N': true,
	'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true,
	'W': true, 'X': true, 'Y': true, 'Z': true, '_': true, 'a': true, 'b': true, 'c': true,
	'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true, 'k': true,
	'l': true, 'm': true, 'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true,
	't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
}

// IsWord reports whether a byte belongs to a word.
func IsWord(c byte) bool {
	return isWordTable[c]
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
