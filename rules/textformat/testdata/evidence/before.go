// Package evidence writes numbers to a record and adds them up.
package evidence

import (
	"bytes"
	"strconv"
)

// Append adds a number to a record.
func Append(record []byte, n int32) []byte {
	return append(strconv.AppendInt(record, int64(n), 10), '\n')
}

// Sum returns the sum of the numbers in a record.
func Sum(record []byte) (sum int64) {
	for len(record) > 0 {
		line, rest, _ := bytes.Cut(record, []byte{'\n'})
		n, err := strconv.ParseInt(string(line), 10, 32)
		if err != nil {
			return 0
		}
		sum, record = sum+n, rest
	}
	return sum
}
