package a

import (
	"bytes"
	"io"
	"sync"
)

var lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func list[T any](w io.Writer, items []T, put func(*bytes.Buffer, T)) {
	b := lines.Get().(*bytes.Buffer) // want `b goes back to lines without Reset`
	defer lines.Put(b)
	for _, it := range items {
		b.WriteString("item ")
		put(b, it)
		b.WriteByte('\n')
	}
	w.Write(b.Bytes())
}

// What follows is left alone.

func prepared(w io.Writer, s string, prepare func(*bytes.Buffer)) {
	b := lines.Get().(*bytes.Buffer)
	defer lines.Put(b)
	prepare(b)
	b.WriteString(s)
	w.Write(b.Bytes())
}

func drainedLater(w io.Writer, s string, drain func(*bytes.Buffer)) {
	b := lines.Get().(*bytes.Buffer)
	defer lines.Put(b)
	b.WriteString(s)
	w.Write(b.Bytes())
	drain(b)
}
