package c39

import (
	"errors"
	"time"
)

// V1 generic
type result[T any] struct {
	val T
	err error
}

func Within[T any](d time.Duration, f func() (T, error)) (T, error) {
	ch := make(chan result[T])
	go func() {
		v, err := f()
		ch <- result[T]{v, err}
	}()
	select {
	case r := <-ch:
		return r.val, r.err
	case <-time.After(d):
		var zero T
		return zero, errors.New("timeout")
	}
}
