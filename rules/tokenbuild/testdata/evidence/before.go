// Package evidence splits a command line into words.
package evidence

import "unicode"

// Tokens returns the words of a line; quotes hold spaces together.
func Tokens(line string) []string {
	var out []string
	word := ""
	quoted := false
	for _, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted:
			if word != "" {
				out = append(out, word)
				word = ""
			}
		default:
			word += string(r)
		}
	}
	if len(word) > 0 {
		out = append(out, word)
	}
	return out
}
