// Package evidence reads rows of words.
package evidence

import "strings"

// A Row is one line.
type Row struct {
	Name string
	Rest string
	Line int
}

// Parse returns a row for each line.
func Parse(lines []string) []*Row {
	rows := make([]*Row, 0, len(lines))
	for i, line := range lines {
		name, rest, _ := strings.Cut(line, " ")
		rows = append(rows, &Row{Name: name, Rest: rest, Line: i + 1}) // target
	}
	return rows
}
