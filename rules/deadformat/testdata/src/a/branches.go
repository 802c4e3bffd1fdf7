package a

import (
	"errors"
	"fmt"
	"log"
	"strings"
)

// Texts that several branches read.

type sheet[T any] struct {
	name  string
	cells map[string]T
}

func (s *sheet[T]) cell(row, col int) (v T, err error) {
	at := fmt.Sprintf("%s!%d:%d", s.name, row, col) // want `at is formatted on every path, and some branches alone read it: format it there`
	if row < 0 {
		return v, errors.New(at + ": no such row")
	}
	if col < 0 {
		return v, errors.New(at + ": no such column")
	}
	return s.cells["all"], nil
}

func kinds(n int, kind byte) (int, error) {
	what := fmt.Sprint("kind ", kind) // want `some branches alone read it`
	switch kind {
	case 'a':
		n++
	case 'b':
		if n > 9 {
			return 0, errors.New(what + ": too many")
		}
		n += 2
	default:
		return 0, errors.New(what)
	}
	return n, nil
}

func stops(path []string, next func() bool) (n int) {
	for next() {
		where := strings.Join(path, ".") // want `where is formatted on every path, and one branch alone reads it`
		if n++; n > 100 {
			log.Print(where)
			break
		}
	}
	return n
}

// What follows is left alone.

func each(kind byte, n int) {
	what := fmt.Sprint("kind ", kind)
	switch kind {
	case 'a':
		log.Print("first", what)
	case 'b':
		log.Print("second", what)
	}
}

func said(n int, loud, often bool) int {
	what := fmt.Sprint("number ", n)
	if loud {
		log.Print(what)
	}
	if often {
		log.Print(what, what)
	}
	return n
}

func either(n int) error {
	what := fmt.Sprint("number ", n)
	if n < 0 {
		return errors.New(what)
	} else {
		log.Print(what)
	}
	return nil
}

func asked(n int, known map[string]bool) error {
	what := fmt.Sprint("number ", n)
	if known[what] {
		return errors.New(what)
	}
	if n > 9 {
		log.Print(what)
	}
	return nil
}
