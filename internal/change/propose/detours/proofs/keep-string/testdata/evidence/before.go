// Package evidence reads lists of settings.
package evidence

import "bytes"

// Count counts how often a name is set in a list such as "a=1; b=2", and adds the
// lengths of the values.
func Count(list, name string) (n, length int) {
	rest := []byte(list) // target
	for len(rest) > 0 {
		setting := rest
		if i := bytes.IndexAny(setting, ";\n"); i >= 0 {
			setting, rest = setting[:i], setting[i+1:]
		} else {
			rest = nil
		}
		key, value, ok := bytes.Cut(bytes.TrimSpace(setting), []byte("="))
		if ok && string(key) == name && !bytes.Equal(value, []byte("-")) {
			n++
			length += len(value)
		}
	}
	return n, length
}
