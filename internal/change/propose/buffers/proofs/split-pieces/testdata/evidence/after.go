// Package evidence reads the tags of fields.
package evidence

import "strings"

// Options returns the name in a tag such as "name,omitempty", and how many of its
// options are known.
func Options(tag string) (name string, known int) {
	first, rest, more := strings.Cut(tag, ",") // target
	for more {
		var option string
		option, rest, more = strings.Cut(rest, ",")
		switch option {
		case "omitempty", "inline", "string":
			known++
		}
	}
	return first, known
}
