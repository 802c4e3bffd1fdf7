// Package evidence hides addresses in the lines of a log.
package evidence

import (
	"regexp"
	"strings"
)

var addressRE = regexp.MustCompile(`[\w.]+@[\w.]+`)

// replaceAddress is addressRE.ReplaceAllString: no text without "@" has a match.
func replaceAddress(text, with string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return addressRE.ReplaceAllString(text, with)
}

// Hide returns a line with what may be an address hidden.
func Hide(line string) string {
	return replaceAddress(line, "(hidden)") // hot
}
