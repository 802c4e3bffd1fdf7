package c62

import "unicode"

// V1 method

type lexer struct {
	src string
}

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
