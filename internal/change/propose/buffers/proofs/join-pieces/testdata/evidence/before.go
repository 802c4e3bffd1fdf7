// Package evidence writes the conditions of a query.
package evidence

import (
	"strconv"
	"strings"
)

// A Range bounds a column.
type Range struct {
	Column      string
	Least, Most int
}

// Where returns the conditions.
func Where(ranges []Range) string {
	var parts []string
	for _, r := range ranges {
		parts = append(parts, r.Column+" BETWEEN "+strconv.Itoa(r.Least)+" AND "+strconv.Itoa(r.Most)) // target
	}
	if len(parts) == 0 {
		return "TRUE"
	}
	return strings.Join(parts, " AND ")
}
