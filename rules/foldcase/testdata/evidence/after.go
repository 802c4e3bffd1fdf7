// Package evidence looks at names of encodings.
package evidence

import "strings"

// Plain reports whether an encoding is one that changes nothing.
func Plain(encoding string) bool {
	return strings.EqualFold(encoding, "8bt") || strings.EqualFold(encoding, "NONE")
}
