package c16

import (
	"bytes"
	"io"
	"sync"
)

// V1 generic
type encoder[T any] struct {
	bufs  sync.Pool
	write func(*bytes.Buffer, T)
}

func (e *encoder[T]) Encode(w io.Writer, items ...T) error {
	b := e.bufs.Get().(*bytes.Buffer)
	defer e.bufs.Put(b)
	for _, it := range items {
		b.WriteString("item ")
		e.write(b, it)
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}
