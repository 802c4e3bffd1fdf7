// Package evidence writes the query of a URL.
package evidence

import (
	"strconv"
)

// Query writes keys and numbers.
func Query(keys []string, values []int) string {
	s := ""
	for i, k := range keys {
		if s != "" {
			s += "&"
		}
		s += k + "=" + strconv.Itoa(values[i]) // target
	}
	return s
}
