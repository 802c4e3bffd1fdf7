package records

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// List writes what there is on record.
func List(w io.Writer, listed []hotpath.Listed, o sheet.Options) error {
	s := sheet.New(o)
	if len(listed) == 0 {
		s.Para(sheet.Normal, "", "No records yet; pawl record NAME -bench REGEXP -at FILE.go:LINE makes one.")
		return s.Flush(w)
	}
	s.Para(sheet.Normal, "", words.Plural(len(listed), "record")+" in "+hotpath.Dir)
	for _, l := range listed {
		s.Blank()
		asIs(s, l.Name)
		addListed(s, l)
	}
	return s.Flush(w)
}

// label is the column in which a list says what a line is.
func label(s string) string { return fmt.Sprintf("  %-9s", s) }

func addListed(s *sheet.Sheet, l hotpath.Listed) {
	s.Para(sheet.Normal, label("place"), placeText(l))
	if l.Why != "" {
		s.Para(sheet.Normal, label("why"), l.Why)
	}
	s.Para(sheet.Normal, label("measures"), l.Bench+" of "+l.Pkg)
	for i, d := range l.Better {
		head := ""
		if i == 0 {
			head = "better"
		}
		s.Para(sheet.Normal, label(head), d.String())
	}
	m := l.Measured
	for _, f := range m.Figures {
		s.Para(sheet.Normal, label("was"), figuresText(f))
	}
	if on := onText(m); on != "" {
		s.Para(sheet.Normal, label("on"), on)
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
		s.Para(sheet.Normal, label(head), g.Name+": "+first)
	}
}

func placeText(l hotpath.Listed) string {
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

func figuresText(f hotpath.Figures) string {
	var parts []string
	for _, v := range f.Values {
		parts = append(parts, figureText(v))
	}
	return strings.TrimPrefix(f.Benchmark, "Benchmark") + ": " + strings.Join(parts, ", ")
}

// figureText is a figure for people: 1.23 µs cpu/op ±1.3%.
func figureText(f hotpath.Figure) string {
	t := number(f.Value) + " " + f.Metric
	if hotpath.IsTime(f.Metric) {
		t = words.Nanoseconds(f.Value) + " " + f.Metric
	}
	if f.Spread > 0 {
		t += fmt.Sprintf(" ±%s%%", number(math.Round(f.Spread*1000)/10))
	}
	if f.Varies {
		t += " (varies)"
	}
	return t
}

func onText(m hotpath.Measured) string {
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
		parts = append(parts, strings.TrimSpace("at "+words.Commit(ref)+" "+more))
	}
	return strings.Join(parts, ", ")
}

// Text writes what a check found: the answer first, and of each record
// what is wrong with it, or in a line that it holds.
func Text(w io.Writer, r *hotpath.Report, o sheet.Options) error {
	s := sheet.New(o)
	s.Para(sheet.Normal, "", r.Answer())
	for _, c := range r.Records {
		addChecked(s, c)
	}
	for _, x := range r.Warnings {
		s.Warning("", x)
	}
	return s.Flush(w)
}

func mark(s hotpath.Standing) string {
	switch s {
	case hotpath.Holds:
		return "✓ "
	case hotpath.Broken:
		return "✗ "
	default:
		return "? "
	}
}

func addChecked(s *sheet.Sheet, c hotpath.Checked) {
	s.Blank()
	head := c.Name + ": " + string(c.Standing)
	if at := c.Place.At; at.File != "" {
		head += " · " + at.String()
		if c.Place.Func != "" {
			head += " " + c.Place.Func
		}
	}
	s.Para(sheet.Normal, mark(c.Standing), head)
	for _, g := range c.Guards {
		addGuard(s, g)
	}
	for _, d := range c.Directions {
		text := d.Why
		if d.Benchmark != "" {
			text = strings.TrimPrefix(d.Benchmark, "Benchmark") + ": " + text
		}
		s.Para(sheet.Normal, "  "+mark(d.Standing), text)
		if d.Try != "" && d.Standing != hotpath.Holds {
			asIs(s, "    try: "+d.Try)
		}
	}
	first, more, _ := strings.Cut(c.Error, "\n")
	if first != "" {
		s.Para(sheet.Normal, "  ? ", first)
	}
	for l := range strings.Lines(more) {
		asIs(s, "    | "+strings.TrimRight(l, "\n"))
	}
	for _, w := range c.Warnings {
		s.Warning("  ", w)
	}
}

func addGuard(s *sheet.Sheet, g hotpath.GuardResult) {
	text := "guard " + g.Guard.Name
	if g.OK {
		s.Para(sheet.Normal, "  "+mark(hotpath.Holds), fmt.Sprintf("%s, %.1f s", text, g.Seconds))
		return
	}
	s.Para(sheet.Normal, "  "+mark(g.Standing()), text+": "+g.Why)
	for l := range strings.Lines(g.Guard.Command) {
		asIs(s, "    $ "+strings.TrimRight(l, "\n"))
	}
	for _, l := range g.Tail {
		asIs(s, "    | "+l)
	}
}

// asIs writes a line that is not broken, for what is copied.
func asIs(s *sheet.Sheet, text string) { s.Raw(strings.TrimRight(quote.Text(text), " ") + "\n") }

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
