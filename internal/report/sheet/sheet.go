package sheet

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/quote"
)

// Options say what the reader's terminal can show.
type Options struct {
	Width int  // columns; 80 when zero, and never fewer than 40
	Color bool // ANSI colours
	ASCII bool // no characters beyond ASCII but those in the user's own names
	// Verbose asks for all there is, where else only what matters most is shown.
	Verbose bool
}

const (
	defaultWidth = 80
	leastWidth   = 40
)

// Columns is the width that text is laid out for.
func (o Options) Columns() int {
	if o.Width == 0 {
		return defaultWidth
	}
	return max(o.Width, leastWidth)
}

// A Sheet is text being laid out for a terminal. All text that goes on it is
// cleaned and, where asked for, brought down to ASCII before it is measured.
// A character counts as one column; names in scripts of double width are rare
// in Go programs and only lose their alignment.
type Sheet struct {
	o Options
	b strings.Builder
}

// New returns an empty sheet.
func New(o Options) *Sheet { return &Sheet{o: o} }

// Like returns an empty sheet of the same form: what is laid out on it as a whole
// can be taken apart again.
func (s *Sheet) Like() *Sheet { return New(s.o) }

// Width is how many columns the sheet has.
func (s *Sheet) Width() int { return s.o.Columns() }

// ASCII reports whether the reader sees no other characters.
func (s *Sheet) ASCII() bool { return s.o.ASCII }

// Verbose reports whether the reader wants all there is.
func (s *Sheet) Verbose() bool { return s.o.Verbose }

// empty reports whether nothing stands on the sheet.
func (s *Sheet) empty() bool { return s.b.Len() == 0 }

// String returns what stands on the sheet.
func (s *Sheet) String() string { return s.b.String() }

// Raw writes text that is laid out already.
func (s *Sheet) Raw(t string) { s.b.WriteString(t) }

// A Style is an ANSI attribute.
type Style string

const (
	Normal Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Green  Style = "32"
	Yellow Style = "33"
	Red    Style = "31"
)

// asciiOf holds what ASCII readers see instead of pawl's own characters.
var asciiOf = strings.NewReplacer("→", "->", "−", "-", "µ", "u", "✓", "+", "✗", "x", "×", "x", "·", "-",
	"±", "+-", "÷", "/", "≈", "~", "≤", "<=", "≥", ">=", "…", "...", "∞", "inf", "–", "-", "α", "alpha", "“", `"`, "”", `"`, "’", "'")

// Text returns a text in the form in which it stands on the sheet.
func (s *Sheet) Text(t string) string {
	t = quote.Line(t)
	if s.ASCII() {
		t = asciiOf.Replace(t)
	}
	return t
}

// Paint gives a text a style, where the reader has colours.
func (s *Sheet) Paint(st Style, t string) string {
	if !s.o.Color || st == Normal || t == "" {
		return t
	}
	return "\x1b[" + string(st) + "m" + t + "\x1b[0m"
}

// Blank writes an empty line.
func (s *Sheet) Blank() { s.b.WriteByte('\n') }

// Heading writes a line that begins a part.
func (s *Sheet) Heading(t string) {
	s.Blank()
	s.Para(Bold, "", t)
}

// Para writes text broken to the width. The first line begins with prefix and
// the others with as many spaces.
//
//go:noinline
func (s *Sheet) Para(st Style, prefix, t string) { s.Mark(Normal, prefix, st, t) }

// Mark is para with the prefix in a style of its own.
func (s *Sheet) Mark(pst Style, prefix string, st Style, t string) {
	if s.ASCII() {
		prefix = asciiOf.Replace(prefix)
	}
	indent := utf8.RuneCountInString(prefix)
	for i, line := range Wrap(s.Text(t), s.Width()-indent) {
		if i == 0 {
			s.b.WriteString(s.Paint(pst, prefix))
		} else {
			s.b.WriteString(strings.Repeat(" ", indent))
		}
		s.b.WriteString(s.Paint(st, line))
		s.b.WriteByte('\n')
	}
}

// AsIs writes a line that is never broken, for commands and paths that are
// copied.
func (s *Sheet) AsIs(label, t string) {
	s.b.WriteString(s.Paint(Dim, label) + quote.Line(t) + "\n")
}

// Flush writes the sheet to w.
func (s *Sheet) Flush(w io.Writer) error {
	if _, err := io.WriteString(w, s.b.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// Warnings writes the list of warnings, where there are any.
func (s *Sheet) Warnings(ws []model.Warning) {
	if len(ws) == 0 {
		return
	}
	s.Heading("Warnings:")
	for _, w := range ws {
		s.Warning("", w)
	}
}

// Warning writes one warning.
func (s *Sheet) Warning(indent string, w model.Warning) {
	s.Mark(Yellow, indent+"! ", Normal, w.Seen)
	if w.Cause != "" {
		s.Para(Dim, indent+"  ", "likely because "+w.Cause)
	}
	if w.Try != "" {
		s.Para(Dim, indent+"  ", "try: "+w.Try)
	}
}

// Part begins a part of a text, apart from what stands above it.
func (s *Sheet) Part() {
	if !s.empty() {
		s.Blank()
	}
}
