package c16

import (
	"bytes"
	"io"
	"strconv"
	"sync"
)

// V1 names
var scratchpads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Emit(dst io.Writer, name string, value int64) error {
	sb := scratchpads.Get().(*bytes.Buffer)
	defer scratchpads.Put(sb)
	sb.WriteString(name)
	sb.WriteByte('=')
	sb.WriteString(strconv.FormatInt(value, 10))
	_, err := dst.Write(sb.Bytes())
	return err
}

// V2 two functions, missed
var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func take() *bytes.Buffer { return pages.Get().(*bytes.Buffer) }

func give(b *bytes.Buffer) { pages.Put(b) }

func Page(w io.Writer, title, body string) error {
	b := take()
	defer give(b)
	b.WriteString("<h1>")
	b.WriteString(title)
	b.WriteString("</h1>")
	b.WriteString(body)
	_, err := b.WriteTo(w)
	return err
}

// V3 two functions, bytes
func Title(w io.Writer, title string) error {
	b := take()
	b.WriteString(title)
	_, err := w.Write(b.Bytes())
	give(b)
	return err
}
