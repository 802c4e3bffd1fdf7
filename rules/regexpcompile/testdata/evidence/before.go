// Package evidence checks names that clients send.
package evidence

import (
	"errors"
	"regexp"
)

// Valid reports whether a name may be used.
func Valid(name string) bool {
	re := regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`)
	return re.MatchString(name)
}

// Tag returns the first tag in a text.
func Tag(text string) (string, error) {
	re, err := regexp.Compile(`#(\w+)`)
	if err != nil {
		return "", err
	}
	m := re.FindStringSubmatch(text)
	if m == nil {
		return "", errors.New("no tag")
	}
	return m[1], nil
}
