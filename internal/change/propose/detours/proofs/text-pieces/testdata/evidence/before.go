// Package evidence reads lists of names.
package evidence

import "bytes"

// Names returns the names in a list such as "a,b", without spaces around them.
func Names(list []byte) []string {
	parts := bytes.Split(list, []byte{','}) // target
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = string(bytes.TrimSpace(part))
	}
	return names
}
