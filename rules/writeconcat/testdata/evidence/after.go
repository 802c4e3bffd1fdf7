// Package evidence writes headers.
package evidence

import "strings"

// Head writes the line of a header.
func Head(b *strings.Builder, name, value string) {
	b.WriteString(name)
	b.WriteString(": ")
	b.WriteString(value)
	b.WriteString("\r\n")
}
