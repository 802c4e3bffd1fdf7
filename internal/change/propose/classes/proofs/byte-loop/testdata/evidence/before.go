// Package evidence looks at names of header fields.
package evidence

var tokens = [127]bool{
	'!': true, '#': true, '$': true, '-': true, '.': true, '_': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'A': true, 'C': true, 'D': true, 'E': true, 'F': true, 'P': true, 'S': true, 'T': true, 'X': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'l': true,
	'm': true, 'n': true, 'o': true, 'p': true, 'r': true, 's': true, 't': true, 'u': true, 'x': true, 'y': true,
}

func isToken(r rune) bool {
	i := int(r)
	return i < len(tokens) && tokens[i]
}

// Valid reports whether a name is made of tokens.
func Valid(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name { // hot
		if !isToken(r) {
			return false
		}
	}
	return true
}
