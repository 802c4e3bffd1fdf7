package c08

import (
	"errors"
	"fmt"
)

// V2 method
type lexer struct{ rest string }

func (l *lexer) next() (byte, error) {
	if l.rest == "" {
		return 0, fmt.Errorf("lexer: unexpected end of input")
	}
	c := l.rest[0]
	l.rest = l.rest[1:]
	return c, nil
}

// V4 generic
type stack[E any] struct{ items []E }

func (s *stack[E]) pop() (e E, err error) {
	if len(s.items) == 0 {
		return e, errors.New("stack is empty")
	}
	e = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return e, nil
}
