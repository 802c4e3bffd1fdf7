package c62

import "unicode"

type lexer struct {
	src string
}

// V1 method
func (l *lexer) words() []string {
	var (
		words  []string
		word   string
		quoted bool
	)
	for _, r := range l.src {
		switch {
		case r == '"':
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted:
			if word != "" {
				words = append(words, word)
				word = ""
			}
		default:
			word += string(r)
		}
	}
	if word != "" {
		words = append(words, word)
	}
	return words
}
