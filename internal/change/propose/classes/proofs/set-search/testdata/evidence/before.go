// Package evidence reads words and values.
package evidence

import "strings"

func isDelimiter(r rune) bool {
	return r <= ' ' || r == '=' || r == '"' || r == ','
}

// Word returns what stands before a delimiter.
func Word(line string) string {
	i := strings.IndexFunc(line, isDelimiter) // hot
	if i < 0 {
		return line
	}
	return line[:i]
}
