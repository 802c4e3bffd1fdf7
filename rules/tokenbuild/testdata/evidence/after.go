// Package evidence splits a command line into words.
package evidence

import "strings"
import "unicode"

// Tokens returns the words of a line; quotes hold spaces together.
func Tokens(line string) []string {
	var out []string
	var word strings.Builder
	quoted := false
	for _, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted:
			if word.Len() != 0 {
				out = append(out, word.String())
				word.Reset()
			}
		default:
			word.WriteRune(r)
		}
	}
	if word.Len() > 0 {
		out = append(out, word.String())
	}
	return out
}
