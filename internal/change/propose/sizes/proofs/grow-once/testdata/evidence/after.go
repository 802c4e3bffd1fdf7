// Package evidence writes attributes the way HTML has them.
package evidence

import "strings"

// An Attr is one attribute.
type Attr struct{ Name, Value string }

// List writes attributes one after another.
func List(attrs []Attr) string {
	var b strings.Builder
	n := 4 * len(attrs)
	for _, a := range attrs {
		n += len(a.Name) + len(a.Value)
	}
	b.Grow(n)
	for i, a := range attrs {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.Name)
		b.WriteString(`="`)
		b.WriteString(a.Value) // target
		b.WriteByte('"')
	}
	return b.String()
}
