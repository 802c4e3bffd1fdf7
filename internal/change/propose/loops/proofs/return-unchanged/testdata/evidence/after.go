// Package evidence writes strings as JSON does.
package evidence

import (
	"strings"
	"unicode/utf8"
)

// Escape returns s with backslashes before quotes and backslashes.
func Escape(s string) string {
	var b strings.Builder
	plain := 0
	for plain < len(s) && s[plain] < utf8.RuneSelf && s[plain] != '"' && s[plain] != '\\' {
		plain++
	}
	if plain == len(s) {
		return s
	}
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
