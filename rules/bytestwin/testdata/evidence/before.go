// Package evidence looks through a log.
package evidence

import "strings"

// Errors returns how many of some lines tell of an error.
func Errors(lines [][]byte) (n int) {
	for _, line := range lines {
		if strings.Contains(string(line), "error") {
			n++
		}
	}
	return n
}
