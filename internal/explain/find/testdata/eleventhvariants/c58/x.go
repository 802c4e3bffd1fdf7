package c58

import "unsafe"

// V2 method, missed

type lexer struct {
	src        []byte
	start, pos int
}

func (l *lexer) lexeme() string {
	if l.start == l.pos {
		return ""
	}
	return unsafe.String(&l.src[l.start], l.pos-l.start)
}

func (l *lexer) digits() string {
	l.start = l.pos
	for l.pos < len(l.src) && l.src[l.pos] >= '0' && l.src[l.pos] <= '9' {
		l.pos++
	}
	return l.lexeme()
}
