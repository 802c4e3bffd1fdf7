package report

import (
	"strings"
	"unicode/utf8"
)

// A sheet is text being laid out for a terminal. All text that goes on it is
// cleaned and, where asked for, brought down to ASCII before it is measured.
// A character counts as one column; names in scripts of double width are rare
// in Go programs and only lose their alignment.
type sheet struct {
	o Options
	b strings.Builder
}

// A style is an ANSI attribute.
type style string

const (
	normal style = ""
	bold   style = "1"
	dim    style = "2"
	green  style = "32"
	yellow style = "33"
	red    style = "31"
)

// asciiOf holds what ASCII readers see instead of pawl's own characters.
var asciiOf = strings.NewReplacer("→", "->", minus, "-", "µ", "u", "✓", "+", "✗", "x", "×", "x", "·", "-",
	"≤", "<=", "≥", ">=", "…", "...", "∞", "inf", "–", "-", "α", "alpha", "“", `"`, "”", `"`, "’", "'")

func (s *sheet) text(t string) string {
	t = clean(t)
	if s.o.ASCII {
		t = asciiOf.Replace(t)
	}
	return t
}

func (s *sheet) paint(st style, t string) string {
	if !s.o.Color || st == normal || t == "" {
		return t
	}
	return "\x1b[" + string(st) + "m" + t + "\x1b[0m"
}

func (s *sheet) blank() { s.b.WriteByte('\n') }

// heading writes a line that begins a part.
func (s *sheet) heading(t string) {
	s.blank()
	s.para(bold, "", t)
}

// para writes text broken to the width. The first line begins with prefix and
// the others with as many spaces.
func (s *sheet) para(st style, prefix, t string) { s.mark(normal, prefix, st, t) }

// mark is para with the prefix in a style of its own.
func (s *sheet) mark(pst style, prefix string, st style, t string) {
	if s.o.ASCII {
		prefix = asciiOf.Replace(prefix)
	}
	indent := utf8.RuneCountInString(prefix)
	for i, line := range wrap(s.text(t), s.o.width()-indent) {
		if i == 0 {
			s.b.WriteString(s.paint(pst, prefix))
		} else {
			s.b.WriteString(strings.Repeat(" ", indent))
		}
		s.b.WriteString(s.paint(st, line))
		s.b.WriteByte('\n')
	}
}

// asIs writes a line that is never broken, for commands and paths that are
// copied.
func (s *sheet) asIs(label, t string) {
	s.b.WriteString(s.paint(dim, label) + clean(t) + "\n")
}

// A cell is one field of a table.
type cell struct {
	text  string
	style style
	right bool // flush right
}

func left(t string) cell  { return cell{text: t} }
func right(t string) cell { return cell{text: t, right: true} }

func (c cell) in(st style) cell { c.style = st; return c }

// table writes rows in columns, the first behind indent. The
// last column is cut at the width. Columns that are empty in every row take no
// room.
func (s *sheet) table(indent string, rows [][]cell) {
	widths := s.measure(rows)
	for _, r := range rows {
		line, col := indent, len(indent)
		for i, c := range r {
			if widths[i] == 0 {
				continue
			}
			t := c.text
			if i == len(r)-1 {
				t = cut(t, s.o.width()-col, s.o.ASCII)
			}
			pad := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(t)))
			if c.right {
				line += pad + s.paint(c.style, t)
			} else {
				line += s.paint(c.style, t) + pad
			}
			line += strings.Repeat(" ", s.gap())
			col += widths[i] + s.gap()
		}
		s.b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// gap is the space between two columns.
func (s *sheet) gap() int {
	if s.o.width() < 66 {
		return 1
	}
	return 2
}

// measure brings the cells into the form in which they are written and returns
// the width of each column.
func (s *sheet) measure(rows [][]cell) []int {
	var widths []int
	for _, r := range rows {
		for i := range r {
			r[i].text = s.text(r[i].text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i].text))
		}
	}
	return widths
}

// wrap breaks text into lines of at most width columns, at spaces that are not
// inside a figure and its unit. A word longer than a line has one to itself.
func wrap(t string, width int) []string {
	width = max(width, 10)
	var lines []string
	line := ""
	for _, word := range words(t) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// words splits text at spaces, and keeps figures with the units behind them
// and intervals in one piece.
func words(t string) []string {
	var out []string
	for _, w := range strings.Fields(t) {
		if n := len(out); n > 0 && sticks(out[n-1], w) {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

// sticks reports whether the word w belongs on the same line as what stands
// before it.
func sticks(before, w string) bool {
	if i := strings.LastIndexByte(before, '['); i >= 0 && strings.HasSuffix(before, ",") && endsInDigit(before[:len(before)-1]) {
		return strings.Contains(w, "]") // the second half of [lo, hi]
	}
	return unitWords[strings.TrimRight(w, ".,;:)")] && (endsInDigit(before) || strings.HasSuffix(before, "open]"))
}

var unitWords = map[string]bool{"%": true, "ns": true, "µs": true, "us": true, "ms": true, "s": true, "min": true,
	"h": true, "B": true, "KiB": true, "MiB": true, "GiB": true}

func endsInDigit(w string) bool {
	w = strings.TrimRight(w, "]")
	return w != "" && '0' <= w[len(w)-1] && w[len(w)-1] <= '9'
}

// cut shortens text to width columns and shows that it did.
func cut(t string, width int, ascii bool) string {
	if utf8.RuneCountInString(t) <= width {
		return t
	}
	end := "…"
	if ascii {
		end = "..."
	}
	keep := max(0, width-utf8.RuneCountInString(end))
	return strings.TrimRight(string([]rune(t)[:keep]), " ") + end
}
