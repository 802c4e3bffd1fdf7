package c07

import (
	"errors"
	"fmt"
)

// V4 generic
func findBy[T any](items []T, what string, is func(T) bool) (T, error) {
	missing := fmt.Sprintf("no %s among %d items", what, len(items))
	for _, item := range items {
		if is(item) {
			return item, nil
		}
	}
	var zero T
	return zero, errors.New(missing)
}
