package c16

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

var bp = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// V1 renamed
func render(w io.Writer, n int) {
	buf := bp.Get().(*bytes.Buffer)
	defer bp.Put(buf)
	fmt.Fprintf(buf, "n=%d", n)
	w.Write(buf.Bytes())
}

// V2 method
type fmtr struct{ pool sync.Pool }

func (f *fmtr) line(w io.Writer, s string) error {
	sb := f.pool.Get().(*bytes.Buffer)
	sb.WriteString(s)
	_, err := w.Write(sb.Bytes())
	f.pool.Put(sb)
	return err
}

// V3 closure
var bp2 = sync.Pool{New: func() any { return &bytes.Buffer{} }}

func writer(w io.Writer) func(string) {
	return func(s string) {
		b := bp2.Get().(*bytes.Buffer)
		b.WriteString(s)
		w.Write(b.Bytes())
		bp2.Put(b)
	}
}

// V4 generic
var bp3 = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func emit[T fmt.Stringer](w io.Writer, t T) {
	b := bp3.Get().(*bytes.Buffer)
	b.WriteString(t.String())
	w.Write(b.Bytes())
	bp3.Put(b)
}

// V5 two functions
var bp4 = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer  { return bp4.Get().(*bytes.Buffer) }
func putBuf(b *bytes.Buffer) { bp4.Put(b) }
func show(w io.Writer, s string) {
	b := getBuf()
	b.WriteString(s)
	w.Write(b.Bytes())
	putBuf(b)
}
