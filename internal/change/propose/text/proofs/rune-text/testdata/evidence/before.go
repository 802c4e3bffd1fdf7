// Package evidence splits expressions into tokens.
package evidence

// A Token is a name, a number or one other character.
type Token struct {
	Text string
	At   int
}

// Tokens appends the tokens of an expression to those of others.
func Tokens(to []Token, text string) []Token {
	start := -1 // of a word
	for i, r := range text {
		if word := r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9'; word {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			to = append(to, Token{text[start:i], start})
			start = -1
		}
		if r != ' ' {
			to = append(to, Token{string(r), i}) // target
		}
	}
	if start >= 0 {
		to = append(to, Token{text[start:], start})
	}
	return to
}
