package c62

// V1 method
type lexer struct {
	input string
	word  string
	words []string
}

func (l *lexer) flush() {
	if l.word != "" {
		l.words = append(l.words, l.word)
		l.word = ""
	}
}

func (l *lexer) Run() []string {
	for _, c := range l.input {
		if c == ' ' || c == '\t' {
			l.flush()
			continue
		}
		l.word += string(c)
	}
	l.flush()
	return l.words
}
