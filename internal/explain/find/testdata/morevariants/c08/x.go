package c08

import (
	"errors"
	"fmt"
)

// V1 renamed
func firstField(cols []string) (string, error) {
	if len(cols) == 0 {
		return "", fmt.Errorf("no columns")
	}
	return cols[0], nil
}

// V2 method
type lexer struct {
	src string
	pos int
}

func (l *lexer) next() (byte, error) {
	if l.pos >= len(l.src) {
		return 0, errors.New("unexpected end of input")
	}
	l.pos++
	return l.src[l.pos-1], nil
}

// V3 closure
func validator() func(string) error {
	return func(s string) error {
		if s == "" {
			return fmt.Errorf("empty value")
		}
		return nil
	}
}

// V4 generic
func Pop[T any](s []T) (T, []T, error) {
	if len(s) == 0 {
		var zero T
		return zero, s, errors.New("stack is empty")
	}
	return s[len(s)-1], s[:len(s)-1], nil
}

// V5 two functions
func badInput() error { return errors.New("bad input") }
func scan(fields []string) error {
	for _, f := range fields {
		if f == "" {
			return badInput()
		}
	}
	return nil
}
