package a

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
)

const sep = ": "

type header struct {
	b     strings.Builder
	out   *bytes.Buffer
	name  string
	value *header
}

func (h *header) write(k, v string) {
	h.b.WriteString(k + sep + v + "\r" + "\n")                    // want `the texts are joined in memory of their own, and then copied to the buffer; write one after the other`
	h.out.WriteString(h.name + "=" + v)                           // want `the texts are joined`
	h.b.WriteString(strconv.Itoa(len(k)) + ("-" + v) + string(v)) // want `the texts are joined`
}

func nested(b *bytes.Buffer, k string) {
	b.WriteString(("<" + k + ">") + sep) // want `the texts are joined`
}

func list[S ~string](b *bytes.Buffer, names []S, w *bufio.Writer) {
	for i, name := range names {
		switch {
		case i > 0:
			b.WriteString(", " + string(name)) // want `the texts are joined`
		default:
			func() { w.WriteString("[" + string(name)) }() // want `the texts are joined`
		}
	}
	b.WriteString("[" + string(names[0]))         // want `the texts are joined`
	b.WriteString("n" + strconv.Itoa(len(names))) // want `the texts are joined`
}

func deeper(h, g *header) {
	h.out.WriteString(h.name + g.name)       // want `the texts are joined`
	h.out.WriteString(h.value.name + h.name) // want `the texts are joined`
	h.out.WriteString(h.name + h.value.name) // want `the texts are joined`
}

// What follows is left alone.

type own struct{ strings.Builder }

func (o *own) WriteString(s string) (int, error) { return len(s), nil }

func alone(b *strings.Builder, w io.StringWriter, o *own, k string) error {
	b.WriteString("a" + "b")
	b.WriteString("a" + sep)
	b.WriteString(k)
	w.WriteString(k + sep)
	o.WriteString(k + sep)
	io.WriteString(b, k+sep)
	b.WriteString(k + k + k + k + k + k + k + k + k)
	_, err := b.WriteString(k + sep)
	return err
}
