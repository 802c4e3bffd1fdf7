package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
)

// pageFiles are the templates, one file for each kind of page and one for what
// they share, the style, and the script.
//
//go:embed page
var pageFiles embed.FS

// A pageFrame is what all pages have: what stands in their head, and the script.
type pageFrame struct {
	Title  string
	Style  template.CSS
	Script template.JS
}

func newFrame(title string) pageFrame {
	return pageFrame{Title: title, Style: template.CSS(asset("page.css"))}
}

// asset returns a file of the page folder, which is part of the program.
func asset(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// writePage fills the template of a kind of page.
func writePage(w io.Writer, kind string, data any) error {
	t, err := template.ParseFS(pageFiles, "page/*.html")
	if err != nil {
		return fmt.Errorf("reading the page's template: %w", err)
	}
	var buf bytes.Buffer
	if err := t.ExecuteTemplate(&buf, kind, data); err != nil {
		return fmt.Errorf("filling the page: %w", err)
	}
	if _, err := w.Write(bytes.Map(visible, buf.Bytes())); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// visible replaces what cannot be seen and yet changes what is: control
// characters, and the marks that turn the direction of writing. In a diff they
// would show other code than the compiler reads.
func visible(r rune) rune {
	if r == '\n' || r == '\t' || !hidden(r) {
		return r
	}
	return '\ufffd'
}
