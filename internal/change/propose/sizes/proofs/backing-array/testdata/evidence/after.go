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
	backing := make([]Row, len(lines)) // one allocation for all
	for i, line := range lines {
		name, rest, _ := strings.Cut(line, " ")
		backing[i] = Row{Name: name, Rest: rest, Line: i + 1}
		rows = append(rows, &backing[i]) // target
	}
	return rows
}
