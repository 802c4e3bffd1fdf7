package c07

import (
	"errors"
	"fmt"
)

type order struct {
	id   int
	paid bool
	who  string
}

// V1 renamed
func settle(o order, verbose bool) int {
	text := fmt.Sprintf("order %d of %s", o.id, o.who)
	if verbose {
		println(text)
	}
	return o.id
}

// V2 method
func (o order) check() error {
	detail := fmt.Sprintf("id=%d paid=%t", o.id, o.paid)
	if !o.paid {
		return errors.New(detail)
	}
	return nil
}

// V3 closure
func checker(limit int) func(int) error {
	return func(n int) error {
		msg := fmt.Sprintf("%d is over %d", n, limit)
		if n > limit {
			return errors.New(msg)
		}
		return nil
	}
}

// V4 generic
func First[T any](xs []T, what string) (T, error) {
	note := fmt.Sprintf("no %s among %d", what, len(xs))
	if len(xs) == 0 {
		var zero T
		return zero, errors.New(note)
	}
	return xs[0], nil
}

// V5 two functions
func explain(o order) string { return fmt.Sprintf("order %d of %s", o.id, o.who) }
func ship(o order) error {
	why := explain(o)
	if !o.paid {
		return errors.New(why)
	}
	return nil
}
