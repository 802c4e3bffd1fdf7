package x01

import (
	"bufio"
	"bytes"
	"fmt"
)

// V1 embedded buffer, method
type page struct {
	bytes.Buffer
	depth int
}

func (p *page) heading(title string) {
	fmt.Fprintf(&p.Buffer, "<h1>")
	fmt.Fprint(&p.Buffer, title)
	fmt.Fprintf(&p.Buffer, "</h1>\n")
}

func Page(titles []string) string {
	var p page
	for _, t := range titles {
		p.heading(t)
	}
	return p.String()
}

// V2 closure
func Dump(w *bufio.Writer, keys []string) error {
	emit := func(text string) { fmt.Fprint(w, text) }
	for _, k := range keys {
		emit(k)
		emit("\n")
	}
	return w.Flush()
}
