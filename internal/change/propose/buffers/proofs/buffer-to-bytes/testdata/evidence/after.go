// Package evidence groups the digits of numbers.
package evidence

import (
	"strconv"
)

// Group writes a number with a comma after each three digits.
func Group(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	buf := make([]byte, 0, 64)
	for len(digits) > 0 {
		head := (len(digits)-1)%3 + 1
		buf = append(buf, digits[:head]...) // target
		buf = append(buf, ',')
		digits = digits[head:]
	}
	buf = buf[:len(buf)-1]
	return string(buf)
}
