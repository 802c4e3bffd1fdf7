// Package evidence reads words and values.
package evidence

func isDelimiter(r rune) bool {
	return r <= ' ' || r == '=' || r == '"' || r == ','
}

// wordTable has the bytes that wordIndex looks for.
var wordTable = [256]bool{
	'\x00': true, '\x01': true, '\x02': true, '\x03': true, '\x04': true, '\x05': true, '\x06': true, '\a': true,
	'\b': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true, '\x0e': true, '\x0f': true,
	'\x10': true, '\x11': true, '\x12': true, '\x13': true, '\x14': true, '\x15': true, '\x16': true, '\x17': true,
	'\x18': true, '\x19': true, '\x1a': true, '\x1b': true, '\x1c': true, '\x1d': true, '\x1e': true, '\x1f': true,
	' ': true, '"': true, ',': true, '=': true,
}

// wordIndex returns what strings.IndexFunc(s, isDelimiter) does.
func wordIndex(s string) int {
	for i := 0; i < len(s); i++ {
		if wordTable[s[i]] {
			return i
		}
	}
	return -1
}

// Word returns what stands before a delimiter.
func Word(line string) string {
	i := wordIndex(line) // hot
	if i < 0 {
		return line
	}
	return line[:i]
}
