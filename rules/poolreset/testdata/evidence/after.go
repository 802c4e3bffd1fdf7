// Package evidence writes lines through pooled buffers.
package evidence

import (
	"bytes"
	"io"
	"sync"
)

// A Writer writes lines.
type Writer struct{ pool sync.Pool }

// NewWriter returns a Writer with buffers of its own.
func NewWriter() *Writer {
	return &Writer{pool: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

// Line writes a line to out in one piece.
func (w *Writer) Line(out io.Writer, text string) error {
	b := w.pool.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(text)
	b.WriteByte('\n')
	_, err := out.Write(b.Bytes())
	w.pool.Put(b)
	return err
}
