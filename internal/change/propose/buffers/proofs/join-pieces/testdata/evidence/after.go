// Package evidence writes the conditions of a query.
package evidence

import (
	"strconv"
)

// A Range bounds a column.
type Range struct {
	Column      string
	Least, Most int
}

// Where returns the conditions.
func Where(ranges []Range) string {
	joined := make([]byte, 0, 64)
	for _, r := range ranges {
		if len(joined) > 0 {
			joined = append(joined, " AND "...)
		}
		joined = append(joined, r.Column...)
		joined = append(joined, " BETWEEN "...)
		joined = strconv.AppendInt(joined, int64(r.Least), 10)
		joined = append(joined, " AND "...)
		joined = strconv.AppendInt(joined, int64(r.Most), 10) // target
	}
	if len(joined) == 0 {
		return "TRUE"
	}
	return string(joined)
}
