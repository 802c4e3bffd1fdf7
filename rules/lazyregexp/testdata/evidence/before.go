// Package evidence checks addresses.
package evidence

import (
	"regexp"
)

var address = regexp.MustCompile(`^(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})(?:/[a-z]{1,40})?$`)

// Valid reports whether s is an address.
func Valid(s string) bool { return address.MatchString(s) }
