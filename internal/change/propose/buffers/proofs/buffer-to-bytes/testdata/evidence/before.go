// Package evidence groups the digits of numbers.
package evidence

import (
	"bytes"
	"strconv"
)

// Group writes a number with a comma after each three digits.
func Group(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var buf bytes.Buffer
	for len(digits) > 0 {
		head := (len(digits)-1)%3 + 1
		buf.WriteString(digits[:head]) // target
		buf.WriteByte(',')
		digits = digits[head:]
	}
	buf.Truncate(buf.Len() - 1)
	return buf.String()
}
