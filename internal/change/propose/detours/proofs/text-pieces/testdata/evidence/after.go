// Package evidence reads lists of names.
package evidence

import "strings"

// Names returns the names in a list such as "a,b", without spaces around them.
func Names(list []byte) []string {
	parts := strings.Split(string(list), ",") // target
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = strings.TrimSpace(part)
	}
	return names
}
