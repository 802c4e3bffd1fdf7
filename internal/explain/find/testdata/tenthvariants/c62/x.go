package c62

// V1 method, the token in a field
type Lexer struct {
	src    string
	pos    int
	token  string
	tokens []string
}

func (l *Lexer) Run() []string {
	for quoted := false; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == '\'':
			quoted = !quoted
		case c == ' ' && !quoted:
			l.flush()
		default:
			l.token += string(c)
		}
	}
	l.flush()
	return l.tokens
}

func (l *Lexer) flush() {
	if l.token != "" {
		l.tokens = append(l.tokens, l.token)
		l.token = ""
	}
}
