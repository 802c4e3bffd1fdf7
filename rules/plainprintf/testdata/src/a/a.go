package a

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

const closing = "]\n"

type page struct {
	head bytes.Buffer
	out  *bufio.Writer
}

func (p *page) write(names []string) {
	fmt.Fprintf(&p.head, "<head>") // want `fmt.Fprintf has nothing to format: WriteString writes the text as it is`
	for _, name := range names {
		fmt.Fprint(&p.head, name)   // want `fmt.Fprint has nothing to format`
		fmt.Fprintf(p.out, "<br/>") // want `fmt.Fprintf has nothing to format`
	}
}

func list(b *strings.Builder, names []string) (n int, err error) {
	fmt.Fprintf(b, `[`) // want `fmt.Fprintf has nothing to format`
	for _, name := range names {
		if n, err = fmt.Fprintf(b, "%s", name+","); err != nil { // want `fmt.Fprintf has nothing to format`
			return n, err
		}
	}
	return fmt.Fprintf(b, closing) // want `fmt.Fprintf has nothing to format`
}

func several[T any](all []strings.Builder, more func(T) *bytes.Buffer, at T, p **bytes.Buffer) {
	for i := range all {
		fmt.Fprint(&all[i], "a") // want `fmt.Fprint has nothing to format`
	}
	defer fmt.Fprint(more(at), "a") // want `fmt.Fprint has nothing to format`
	fmt.Fprintf(*p, "a")            // want `fmt.Fprintf has nothing to format`
}

// What follows is left alone.

type loud string

func (l loud) String() string { return strings.ToUpper(string(l)) }

type own struct{ bytes.Buffer }

func alone(w io.Writer, b *strings.Builder, l loud, s string, bs []byte, all []any, o *own) {
	fmt.Fprintf(w, "text")
	fmt.Fprintf(b, "100%%")
	fmt.Fprintf(b, "%d", 1)
	fmt.Fprintf(b, "%q", s)
	fmt.Fprintf(b, s)
	fmt.Fprintf(b, "text", s)
	fmt.Fprintf(b, "text", all...)
	fmt.Fprintf(b, "%s", l)
	fmt.Fprintf(b, "%s", bs)
	fmt.Fprint(b, l)
	fmt.Fprint(b, 1)
	fmt.Fprint(b, s, s)
	fmt.Fprint(b, all...)
	fmt.Fprintln(b, s)
	fmt.Fprintf(o, "text")
}
