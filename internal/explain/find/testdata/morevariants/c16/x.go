package c16

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
)

// V1 renamed
var textPool = sync.Pool{New: func() any { return &bytes.Buffer{} }}

func render(w io.Writer, name string) {
	buf := textPool.Get().(*bytes.Buffer)
	buf.WriteString("hello ")
	buf.WriteString(name)
	w.Write(buf.Bytes())
	textPool.Put(buf)
}

// V2 method
type encoder struct{ pool sync.Pool }

func (e *encoder) encode(s string) string {
	b, _ := e.pool.Get().(*strings.Builder)
	if b == nil {
		b = new(strings.Builder)
	}
	b.WriteString(s)
	out := b.String()
	e.pool.Put(b)
	return out
}

// V3 closure, missed
func writer() func(io.Writer, string) {
	pool := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	return func(w io.Writer, s string) {
		b := pool.Get().(*bytes.Buffer)
		defer pool.Put(b)
		b.WriteString(s)
		b.WriteTo(io.Discard)
		w.Write(b.Bytes())
	}
}

// V4 generic
var genPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Dump[T fmt.Stringer](w io.Writer, v T) {
	b := genPool.Get().(*bytes.Buffer)
	b.WriteString(v.String())
	_, _ = w.Write(b.Bytes())
	genPool.Put(b)
}

// V5 two functions
var linePool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getLine() *bytes.Buffer  { return linePool.Get().(*bytes.Buffer) }
func putLine(b *bytes.Buffer) { linePool.Put(b) }
func writeLine(w io.Writer, s string) {
	b := getLine()
	b.WriteString(s)
	w.Write(b.Bytes())
	putLine(b)
}
