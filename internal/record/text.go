package record

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// Style is how text looks.
type Style struct {
	Width int  // in columns; 0 means 80
	ASCII bool // no characters beyond ASCII
}

// A page is text being written for a terminal.
type page struct {
	Style
	b strings.Builder
}

// para writes text broken to the width, the first line behind head and the
// others behind as many blanks.
func (p *page) para(head, text string) {
	width := p.Width
	if width <= 0 {
		width = 80
	}
	indent := utf8.RuneCountInString(head)
	line, empty := head, true
	for _, word := range strings.Fields(text) {
		word = plain(word)
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			p.b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, empty = strings.Repeat(" ", indent), true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	p.b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// asIs writes a line that is not broken, for what is copied.
func (p *page) asIs(text string) { p.b.WriteString(strings.TrimRight(plain(text), " ") + "\n") }

var ascii = strings.NewReplacer("✓", "+", "✗", "x", "·", "-", "…", "...", "±", "+-", "µ", "u", "“", `"`, "”", `"`, "→", "->", "≤", "<=")

func (p *page) flush(w io.Writer) error {
	text := p.b.String()
	if p.ASCII {
		text = ascii.Replace(text)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A Listed is a record with where its place is now.
type Listed struct {
	Record
	Found Found `json:"found"`
}

// List looks for the places of records in the module whose folder is dir.
func List(dir string, records []Record) []Listed {
	out := make([]Listed, 0, len(records))
	for _, r := range records {
		out = append(out, Listed{r, Find(dir, r.Place)})
	}
	return out
}

// WriteList writes what there is on record.
func WriteList(w io.Writer, listed []Listed, s Style) error {
	p := &page{Style: s}
	if len(listed) == 0 {
		p.para("", "No records yet; pawl record NAME -bench REGEXP -at FILE.go:LINE makes one.")
		return p.flush(w)
	}
	p.para("", plural(len(listed), "record")+" in "+Dir)
	for _, l := range listed {
		p.b.WriteByte('\n')
		p.asIs(l.Name)
		p.listed(l)
	}
	return p.flush(w)
}

// label is the column in which a list says what a line is.
func label(s string) string { return fmt.Sprintf("  %-9s", s) }

func (p *page) listed(l Listed) {
	p.para(label("place"), placeText(l))
	if l.Why != "" {
		p.para(label("why"), l.Why)
	}
	p.para(label("measures"), l.Bench+" of "+l.Pkg)
	for i, d := range l.Better {
		head := ""
		if i == 0 {
			head = "better"
		}
		p.para(label(head), d.String())
	}
	m := l.Measured
	for _, f := range m.Figures {
		p.para(label("was"), figuresText(f))
	}
	if on := onText(m); on != "" {
		p.para(label("on"), on)
	}
	for i, g := range l.Guards {
		head := ""
		if i == 0 {
			head = "guards"
		}
		first, more, _ := strings.Cut(g.Command, "\n")
		if more != "" {
			first += " …"
		}
		p.para(label(head), g.Name+": "+first)
	}
}

func placeText(l Listed) string {
	t := l.Found.At.String()
	if l.Found.At.File == "" {
		t = l.Place.Pkg
	}
	if l.Place.Func != "" {
		t += " in " + l.Place.Func
	}
	if l.Found.Detail != "" {
		t += " (" + l.Found.Detail + ")"
	}
	return t
}

func figuresText(f Figures) string {
	var parts []string
	for _, v := range f.Values {
		parts = append(parts, v.text())
	}
	return strings.TrimPrefix(f.Benchmark, "Benchmark") + ": " + strings.Join(parts, ", ")
}

// text is a figure for people: 1.23 µs cpu/op ±1.3%.
func (f Figure) text() string {
	t := number(f.Value) + " " + f.Metric
	if IsTime(f.Metric) {
		t = duration(f.Value) + " " + f.Metric
	}
	if f.Spread > 0 {
		t += fmt.Sprintf(" ±%s%%", number(math.Round(f.Spread*1000)/10))
	}
	if f.Varies {
		t += " (varies)"
	}
	return t
}

// duration writes nanoseconds with three digits.
func duration(ns float64) string {
	unit := "ns"
	for _, u := range []string{"µs", "ms", "s"} {
		if ns < 999.5 {
			break
		}
		ns, unit = ns/1000, u
	}
	switch {
	case ns < 9.995:
		return fmt.Sprintf("%.2f %s", ns, unit)
	case ns < 99.95:
		return fmt.Sprintf("%.1f %s", ns, unit)
	}
	return fmt.Sprintf("%.0f %s", ns, unit)
}

func onText(m Measured) string {
	var parts []string
	if !m.Date.IsZero() {
		parts = append(parts, m.Date.Format(time.DateOnly))
	}
	for _, t := range []string{m.Go, m.CPU} {
		if t != "" {
			parts = append(parts, t)
		}
	}
	if m.Commit != "" {
		ref, more, _ := strings.Cut(m.Commit, " ")
		parts = append(parts, strings.TrimSpace("at "+short(ref)+" "+more))
	}
	return strings.Join(parts, ", ")
}

// short cuts a commit's name to what git takes for it.
func short(ref string) string { return ref[:min(12, len(ref))] }

// WriteReport writes what a check found: the answer first, and of each record
// what is wrong with it, or in a line that it holds.
func WriteReport(w io.Writer, r *Report, s Style) error {
	p := &page{Style: s}
	p.para("", r.Answer())
	for _, c := range r.Records {
		p.checked(c)
	}
	for _, x := range r.Warnings {
		p.warning("", x)
	}
	return p.flush(w)
}

// Answer is what the report says, in one line.
func (r *Report) Answer() string {
	n := len(r.Records)
	t := ""
	switch s := r.Standing(); {
	case n == 0:
		t = "no records"
	case s == Holds:
		t = fmt.Sprintf("holds: %s", plural(n, "record"))
	default:
		t = fmt.Sprintf("%s: %d of %s", s, r.Count(s), plural(n, "record"))
	}
	if r.Stopped != "" {
		t += " (" + r.Stopped + ")"
	}
	return t
}

func mark(s Standing) string {
	switch s {
	case Holds:
		return "✓ "
	case Broken:
		return "✗ "
	default:
		return "? "
	}
}

func (p *page) checked(c Checked) {
	p.b.WriteByte('\n')
	head := c.Name + ": " + string(c.Standing)
	if at := c.Place.At; at.File != "" {
		head += " · " + at.String()
		if c.Place.Func != "" {
			head += " " + c.Place.Func
		}
	}
	p.para(mark(c.Standing), head)
	for _, g := range c.Guards {
		p.guard(g)
	}
	for _, d := range c.Directions {
		text := d.Why
		if d.Benchmark != "" {
			text = strings.TrimPrefix(d.Benchmark, "Benchmark") + ": " + text
		}
		p.para("  "+mark(d.Standing), text)
		if d.Try != "" && d.Standing != Holds {
			p.asIs("    try: " + d.Try)
		}
	}
	first, more, _ := strings.Cut(c.Error, "\n")
	if first != "" {
		p.para("  ? ", first)
	}
	for l := range strings.Lines(more) {
		p.asIs("    | " + strings.TrimRight(l, "\n"))
	}
	for _, w := range c.Warnings {
		p.warning("  ", w)
	}
}

func (p *page) guard(g GuardResult) {
	text := "guard " + g.Guard.Name
	if g.OK {
		p.para("  "+mark(Holds), fmt.Sprintf("%s, %.1f s", text, g.Seconds))
		return
	}
	p.para("  "+mark(g.Standing()), text+": "+g.Why)
	for l := range strings.Lines(g.Guard.Command) {
		p.asIs("    $ " + strings.TrimRight(l, "\n"))
	}
	for _, l := range g.Tail {
		p.asIs("    | " + l)
	}
}

func (p *page) warning(indent string, w model.Warning) {
	p.para(indent+"! ", w.Seen)
	if w.Cause != "" {
		p.para(indent+"  ", "likely because "+w.Cause)
	}
	if w.Try != "" {
		p.para(indent+"  ", "try: "+w.Try)
	}
}
