// Package evidence writes rows.
package evidence

import (
	"strconv"
	"time"
)

// Row appends a row of a log.
func Row(b []byte, at time.Time, n int, ratio float64) []byte {
	b = at.AppendFormat(b, time.RFC3339)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(n), 10)
	b = append(b, ' ')
	return strconv.AppendFloat(b, ratio, 'g', 4, 64)
}
