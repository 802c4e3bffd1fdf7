// Package evidence reads numbers of a fixed length.
package evidence

import (
	"errors"
	"fmt"
)

// A lengthError says how long a text is that should be a number.
type lengthError struct{ n int }

func (e *lengthError) Error() string { return fmt.Sprintf("invalid length of number: %d", e.n) }

// Parse reads a number of four digits.
func Parse(s string) (int, error) {
	if len(s) != 4 {
		return 0, &lengthError{len(s)} // target
	}
	n := 0
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n, nil
}

// Length returns the wrong length that err is about, or -1.
func Length(err error) int {
	var e *lengthError
	if errors.As(err, &e) {
		return e.n
	}
	return -1
}
