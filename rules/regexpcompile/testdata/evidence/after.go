// Package evidence checks names that clients send.
package evidence

import (
	"errors"
	"regexp"
)

var validRE = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`)

// Valid reports whether a name may be used.
func Valid(name string) bool {
	return validRE.MatchString(name)
}

var tagRE = regexp.MustCompile(`#(\w+)`)

// Tag returns the first tag in a text.
func Tag(text string) (string, error) {
	m := tagRE.FindStringSubmatch(text)
	if m == nil {
		return "", errors.New("no tag")
	}
	return m[1], nil
}
