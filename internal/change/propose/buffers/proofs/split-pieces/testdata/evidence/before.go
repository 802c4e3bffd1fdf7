// Package evidence reads the tags of fields.
package evidence

import "strings"

// Options returns the name in a tag such as "name,omitempty", and how many of its
// options are known.
func Options(tag string) (name string, known int) {
	parts := strings.Split(tag, ",") // target
	for _, option := range parts[1:] {
		switch option {
		case "omitempty", "inline", "string":
			known++
		}
	}
	return parts[0], known
}
