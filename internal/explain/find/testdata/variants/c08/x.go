package c08

import (
	"errors"
	"fmt"
	"strconv"
)

// V1 renamed
func parsePort(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, errors.New("port is not a number")
	}
	return n, nil
}

// V2 method
type q struct{ items []int }

func (q *q) Pop() (int, error) {
	if len(q.items) == 0 {
		return 0, fmt.Errorf("queue is empty")
	}
	x := q.items[0]
	q.items = q.items[1:]
	return x, nil
}

// V3 closure
func checker(max int) func(int) error {
	return func(n int) error {
		if n > max {
			return errors.New("over the limit")
		}
		return nil
	}
}

// V4 generic
func first[T any](xs []T) (T, error) {
	var zero T
	if len(xs) == 0 {
		return zero, errors.New("no elements")
	}
	return xs[0], nil
}

// V5 two functions
func fail() error { return errors.New("invalid token") }
func scan(ts []string) error {
	for _, t := range ts {
		if t == "" {
			return fail()
		}
	}
	return nil
}
