// Package evidence reads lists of settings.
package evidence

import "strings"

// Count counts how often a name is set in a list such as "a=1; b=2", and adds the
// lengths of the values.
func Count(list, name string) (n, length int) {
	rest := list // target
	for len(rest) > 0 {
		setting := rest
		if i := strings.IndexAny(setting, ";\n"); i >= 0 {
			setting, rest = setting[:i], setting[i+1:]
		} else {
			rest = ""
		}
		key, value, ok := strings.Cut(strings.TrimSpace(setting), "=")
		if ok && key == name && value != "-" {
			n++
			length += len(value)
		}
	}
	return n, length
}
