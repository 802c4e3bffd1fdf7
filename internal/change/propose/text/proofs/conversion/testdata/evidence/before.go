// Package evidence counts the lines of a log that speak of an address.
package evidence

import (
	"bytes"
	"regexp"
)

var address = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+ `)

// Count counts the lines that begin with an address.
func Count(log []byte) int {
	n := 0
	for len(log) > 0 {
		line, rest, _ := bytes.Cut(log, []byte("\n"))
		if address.MatchString(string(line)) { // target
			n++
		}
		log = rest
	}
	return n
}
