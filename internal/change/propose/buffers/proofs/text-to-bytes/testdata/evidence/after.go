// Package evidence writes the query of a URL.
package evidence

import (
	"strconv"
)

// Query writes keys and numbers.
func Query(keys []string, values []int) string {
	s := make([]byte, 0, 64)
	for i, k := range keys {
		if len(s) != 0 {
			s = append(s, '&')
		}
		s = append(s, k...)
		s = append(s, '=')
		s = strconv.AppendInt(s, int64(values[i]), 10) // target
	}
	return string(s)
}
