package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
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

// writePage writes a kind of page.
func writePage(w io.Writer, kind string, data any) error {
	text, err := fillPage(kind, data)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// fillPage fills the template of a kind of page.
func fillPage(kind string, data any) ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{"prose": prose}).ParseFS(pageFiles, "page/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the page's template: %w", err)
	}
	if t.Lookup("flame") == nil { // of pages without flame graphs
		template.Must(t.New("flame").Parse(""))
	}
	var buf bytes.Buffer
	if err := t.ExecuteTemplate(&buf, kind, data); err != nil {
		return nil, fmt.Errorf("filling the page: %w", err)
	}
	return bytes.Map(visible, buf.Bytes()), nil
}

// flagWord is a flag of a command, with what is before it in text for HTML.
var flagWord = regexp.MustCompile(`(^|[\s(;“])(-[a-zA-Z][\w=.-]*)`)

// prose is a text for the page in which no line ends within a flag: browsers
// break lines after a hyphen, and “pawl find -” is no command.
func prose(text string) template.HTML {
	return template.HTML(flagWord.ReplaceAllString(template.HTMLEscapeString(text), `$1<span class="flag">$2</span>`))
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
