package c07

import (
	"errors"
	"fmt"
	"log"
)

// V1 renamed
func pay(id string, amount int, debug bool) int {
	desc := fmt.Sprintf("payment %s of %d", id, amount)
	if amount < 0 {
		log.Println(desc)
		return 0
	}
	return amount * 2
}

// V2 method
type srv struct {
	trace bool
	l     *log.Logger
}

func (s *srv) do(op string, n int) int {
	msg := fmt.Sprintf("op=%s n=%d", op, n)
	if s.trace {
		s.l.Print(msg)
	}
	return n + 1
}

// V3 closure
func each(ids []int, verbose bool) func() int {
	return func() int {
		t := 0
		for _, id := range ids {
			m := fmt.Sprintf("id %d", id)
			if verbose {
				fmt.Println(m)
			}
			t += id
		}
		return t
	}
}

// V4 generic
func check[T any](xs []T, max int) error {
	text := fmt.Sprintf("too many: %d", len(xs))
	if len(xs) > max {
		return errors.New(text)
	}
	return nil
}

// V5 two functions
func describe(id string, n int) string { return fmt.Sprintf("%s/%d", id, n) }
func use(id string, n int, on bool) int {
	d := describe(id, n)
	if on {
		log.Print(d)
	}
	return n
}
