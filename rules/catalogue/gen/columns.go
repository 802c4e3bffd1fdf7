package gen

import (
	"strings"
	"unicode/utf8"
)

// A Style is how text looks.
type Style struct {
	Width int  // in columns; 0 means 80
	ASCII bool // no characters beyond ASCII
}

// align pads the columns of a table, but for the last, with blanks: rows of
// cells in, a line for each row out. Width is counted in characters.
func align(table [][]string) []string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(table))
	for i, row := range table {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)+2))
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// para writes text broken to the width, which is not 0, behind head and then
// as many blanks.
func (s Style) para(b *strings.Builder, head, text string) {
	line, empty := head, true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > s.Width {
			b.WriteString(line + "\n")
			line, empty = strings.Repeat(" ", utf8.RuneCountInString(head)), true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
