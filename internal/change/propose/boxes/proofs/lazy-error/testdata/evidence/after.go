// Package evidence reads numbers of a fixed length.
package evidence

import "fmt"

// invalidLengthNumberError formats its text when that is asked for, not when the error is made.
type invalidLengthNumberError struct{ length int }

func (e invalidLengthNumberError) Error() string {
	return fmt.Sprintf("invalid length of number: %d", e.length)
}

// Parse reads a number of four digits.
func Parse(s string) (int, error) {
	if len(s) != 4 {
		return 0, invalidLengthNumberError{len(s)} // target
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, fmt.Errorf("invalid digit %q in number %q", s[i], s)
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, nil
}
