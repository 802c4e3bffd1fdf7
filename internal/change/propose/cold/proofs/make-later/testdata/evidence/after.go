// Package evidence checks the names of a list.
package evidence

import "bytes"

// A Problem is what is wrong with a list, and where.
type Problem struct {
	Text  bytes.Buffer
	Lines []int
}

// Check returns what is wrong with names that were read from some lines; nil for nothing.
func Check(names []string, lines []int) *Problem {
	if len(names) == 0 {
		return nil
	}
	for i, name := range names {
		if name == "" {
			wrong := &Problem{Lines: make([]int, 0, len(names))} // target
			wrong.Text.WriteString("a name is empty\n")
			wrong.Lines = append(wrong.Lines, lines[i])
			return wrong
		}
	}
	return nil
}
