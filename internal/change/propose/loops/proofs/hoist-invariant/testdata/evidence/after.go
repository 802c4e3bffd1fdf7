// Package evidence counts names without looking at their case.
package evidence

import "strings"

// Count returns how many of the names are name.
func Count(names []string, name string) int {
	n := 0
	lowerName := strings.ToLower(name)
	for _, x := range names {
		if strings.ToLower(x) == lowerName { // hot
			n++
		}
	}
	return n
}
