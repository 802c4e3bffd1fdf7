// Package evidence prints documents.
package evidence

import (
	"bytes"
	"strconv"
)

// An Element has a name and others in it.
type Element struct {
	Name string
	Size int
	Sub  []*Element
}

// Print returns an element as a text, and those in it in braces.
func Print(e *Element) []byte {
	var buf bytes.Buffer
	buf.WriteString(e.Name)
	buf.WriteByte(' ')
	buf.WriteString(strconv.Itoa(e.Size))
	buf.WriteString(" {")
	for _, s := range e.Sub {
		buf.Write(Print(s)) // target
		buf.WriteByte('\n')
	}
	buf.WriteByte('}')
	return buf.Bytes()
}
