package a

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type table struct {
	b   strings.Builder
	out *bytes.Buffer
}

func (t *table) cell(name string, n int, raw []byte) {
	t.b.WriteString(fmt.Sprintf("%-10s", name)) // want `fmt.Sprintf allocates a text only for WriteString to copy it; fmt.Fprintf writes it`
	t.out.WriteString(fmt.Sprint(n))            // want `fmt.Fprint writes it`
	func() {
		t.out.Write([]byte(fmt.Sprintf("%05d %x", n, raw))) // want `only for Write to copy it; fmt.Fprintf writes it`
	}()
	if _, err := t.b.WriteString(fmt.Sprintln(name)); err != nil { // want `fmt.Fprintln writes it`
		return
	}
}

func rows[T any](all []T, w *bufio.Writer, f *os.File, bs []strings.Builder) {
	for i, v := range all {
		w.Write([]byte(fmt.Sprintf("%d:", i)))  // want `fmt.Fprintf writes it`
		f.Write([]byte(fmt.Sprintf("%v\n", v))) // want `fmt.Fprintf writes it`
		bs[i].WriteString(fmt.Sprintf("%v", v)) // want `fmt.Fprintf writes it`
	}
}

func serve(w http.ResponseWriter, out io.Writer, err error, args ...any) {
	w.Write([]byte(fmt.Sprintf("{%q: %d}", "n", 1))) // want `fmt.Fprintf writes it`
	out.Write([]byte(fmt.Sprint(args...)))           // want `fmt.Fprint writes it`
}

func columns[N int | uint](out *strings.Builder, names []string, n N) {
	each := func(name string) {
		text := fmt.Sprintf("|%12s|%4d|", name, n) // want `fmt.Fprintf writes it`
		if len(name) > 0 {
			out.WriteString(text)
		}
	}
	for _, name := range names {
		each(name)
	}
}

// What follows is left alone.

type own struct{}

func (own) Write(s string)       {}
func (own) WriteString(s string) {}
func (own) Print(b []byte)       {}

func alone(o own, w io.StringWriter, b *strings.Builder, f *os.File) {
	o.Write(fmt.Sprintf("%d", 1))
	o.WriteString(fmt.Sprintf("%d", 1))
	o.Print([]byte(fmt.Sprintf("%d", 1)))
	w.WriteString(fmt.Sprintf("%d", 1))
	f.WriteString(fmt.Sprintf("%d", 1))
	b.WriteString(fmt.Sprintf("%d", 1) + "x")
	b.WriteString(fmt.Sprintf("%d", 1)[1:])
	b.WriteString(fmt.Sprint())
	defer b.WriteString(fmt.Sprintf("%d", 1))
	again := fmt.Sprintf("%4d", 1)
	b.WriteString(again)
	b.WriteString(again)
}
