// Package evidence writes strings as JSON does.
package evidence

import "strings"

// Escape returns s with backslashes before quotes and backslashes.
func Escape(s string) string {
	var b strings.Builder
	b.Grow(len(s)) // target
	for _, c := range s {
		if c == '"' || c == '\\' {
			b.WriteByte('\\')
			b.WriteRune(c)
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}
