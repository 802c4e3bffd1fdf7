package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// frameFiles are the templates of what all pages share.
//
//go:embed frame.html sections.html guards.html
var frameFiles embed.FS

//go:embed page.css
var pageStyle template.CSS

// A Kind is a kind of page: its template, and the files that hold it and
// the templates of its parts. Those of the frame are always there.
type Kind struct {
	Name  string
	Files []embed.FS
}

// A Frame is what all pages have: what stands in their head, and the script.
type Frame struct {
	Title  string
	Style  template.CSS
	Script template.JS
}

// New returns the frame of a page with this title.
func New(title string) Frame {
	return Frame{Title: title, Style: pageStyle}
}

// Write writes a kind of page.
func Write(w io.Writer, kind Kind, data any) error {
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
func fillPage(kind Kind, data any) ([]byte, error) {
	t := template.New("").Funcs(template.FuncMap{"prose": prose})
	for _, files := range append([]embed.FS{frameFiles}, kind.Files...) {
		if _, err := t.ParseFS(files, "*.html"); err != nil {
			return nil, fmt.Errorf("reading the page's template: %w", err)
		}
	}
	var buf bytes.Buffer
	if err := t.ExecuteTemplate(&buf, kind.Name, data); err != nil {
		return nil, fmt.Errorf("filling the page: %w", err)
	}
	return bytes.Map(Visible, buf.Bytes()), nil
}

// flagWord is a flag of a command, with what is before it in text for HTML.
var flagWord = regexp.MustCompile(`(^|[\s(;“])(-[a-zA-Z][\w=.-]*)`)

// prose is a text for the page in which no line ends within a flag: browsers
// break lines after a hyphen, and “pawl find -” is no command.
func prose(text string) template.HTML {
	return template.HTML(flagWord.ReplaceAllString(template.HTMLEscapeString(text), `$1<span class="flag">$2</span>`))
}

// Visible replaces what cannot be seen and yet changes what is: control
// characters, and the marks that turn the direction of writing. In a diff they
// would show other code than the compiler reads.
func Visible(r rune) rune {
	if r == '\n' || r == '\t' || !quote.Hidden(r) {
		return r
	}
	return '\ufffd'
}

// An Anchor is a section of the page and its name.
type Anchor struct{ To, Text string }

// Anchors are the sections of a page in their order.
type Anchors []Anchor

// Add adds a section, if the page has it.
func (a *Anchors) Add(there bool, to, text string) {
	if there {
		*a = append(*a, Anchor{To: to, Text: text})
	}
}

// Together keeps together what is read as one where a line ends: a figure and
// its unit, a change.
func Together(s string) string {
	all := sheet.Pieces(s)
	for i, w := range all {
		all[i] = strings.ReplaceAll(w, " ", "\u00a0")
	}
	return strings.NewReplacer(" %", "\u00a0%", " → ", "\u00a0→\u00a0").Replace(strings.Join(all, " "))
}

// Decimal writes a coordinate.
func Decimal(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// Sentence returns a text that begins with a capital letter.
func Sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
