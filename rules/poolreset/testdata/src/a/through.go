package a

import (
	"bytes"
	"io"
	"sync"
)

var sheets = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func borrowSheet() *bytes.Buffer { return sheets.Get().(*bytes.Buffer) }

func returnSheet(b *bytes.Buffer) { sheets.Put(b) }

func writeSheet(w io.Writer, s string) {
	b := borrowSheet() // want `b goes back to sheets without Reset`
	b.WriteString(s)
	w.Write(b.Bytes())
	returnSheet(b)
}

// What follows is left alone.

func clearSheet(b *bytes.Buffer) {
	b.Reset()
	sheets.Put(b)
}

func writeCleared(w io.Writer, s string) {
	b := borrowSheet()
	b.WriteString(s)
	w.Write(b.Bytes())
	clearSheet(b)
}
