package c16

import (
	"bytes"
	"io"
	"sync"
)

// V5 two functions, missed
var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func borrow() *bytes.Buffer { return scratch.Get().(*bytes.Buffer) }

func emit(w io.Writer, parts []string) error {
	buf := borrow()
	defer scratch.Put(buf)
	for _, p := range parts {
		buf.WriteString(p)
	}
	_, err := buf.WriteTo(w)
	return err
}
