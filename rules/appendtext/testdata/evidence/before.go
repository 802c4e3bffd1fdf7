// Package evidence writes rows.
package evidence

import (
	"strconv"
	"time"
)

// Row appends a row of a log.
func Row(b []byte, at time.Time, n int, ratio float64) []byte {
	b = append(b, at.Format(time.RFC3339)...)
	b = append(b, ' ')
	b = append(b, strconv.Itoa(n)...)
	b = append(b, ' ')
	return append(b, strconv.FormatFloat(ratio, 'g', 4, 64)...)
}
