package sheet

import (
	"strings"
	"unicode/utf8"
)

// Spread is how many columns a table takes.
func (s *Sheet) Spread(rows [][]Cell) int {
	total := -s.Gap()
	for _, w := range s.measure(rows) {
		if w > 0 {
			total += w + s.Gap()
		}
	}
	return total
}

// A Cell is one field of a table.
type Cell struct {
	Text  string
	Style Style
	right bool // flush right
}

// Left returns a cell that begins at the left of its column.
func Left(t string) Cell { return Cell{Text: t} }

// Right returns a cell that ends at the right of its column.
func Right(t string) Cell { return Cell{Text: t, right: true} }

// In returns the cell in a style.
func (c Cell) In(st Style) Cell { c.Style = st; return c }

// Table writes rows in columns, the first behind indent. The
// last column is cut at the width. Columns that are empty in every row take no
// room.
func (s *Sheet) Table(indent string, rows [][]Cell) {
	widths := s.measure(rows)
	for _, r := range rows {
		line, col := indent, len(indent)
		for i, c := range r {
			if widths[i] == 0 {
				continue
			}
			t := c.Text
			if i == len(r)-1 {
				t = Cut(t, s.Width()-col, s.ASCII())
			}
			pad := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(t)))
			if c.right {
				line += pad + s.Paint(c.Style, t)
			} else {
				line += s.Paint(c.Style, t) + pad
			}
			line += strings.Repeat(" ", s.Gap())
			col += widths[i] + s.Gap()
		}
		s.b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// Gap is the space between two columns.
func (s *Sheet) Gap() int {
	if s.Width() < 66 {
		return 1
	}
	return 2
}

// measure brings the cells into the form in which they are written and returns
// the width of each column.
func (s *Sheet) measure(rows [][]Cell) []int {
	var widths []int
	for _, r := range rows {
		for i := range r {
			r[i].Text = s.Text(r[i].Text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i].Text))
		}
	}
	return widths
}

// Dimmed returns a row with all its cells dim.
func Dimmed(cells ...Cell) []Cell {
	for i := range cells {
		cells[i].Style = Dim
	}
	return cells
}
