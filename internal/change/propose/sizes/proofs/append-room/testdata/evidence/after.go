// Package evidence writes messages.
package evidence

import "encoding/binary"

// A Field is a name with its value.
type Field struct{ Name, Value string }

func appendText(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...) // target
}

func appendField(b []byte, f Field) []byte {
	b = appendText(b, f.Name)
	return appendText(b, f.Value)
}

// Marshal returns the fields one after the other.
func Marshal(fields []Field) []byte {
	out := make([]byte, 0, 128)
	for _, f := range fields {
		out = appendField(out, f) // frame
	}
	return out
}
