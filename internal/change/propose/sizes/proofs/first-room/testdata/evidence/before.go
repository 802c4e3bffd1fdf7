// Package evidence takes lines of settings apart.
package evidence

import "strings"

// A Line has a name and the words that follow it.
type Line struct {
	Name  string
	Words []string
}

// Parse reads a line up to a comment.
func Parse(s string) *Line {
	l := &Line{}
	for s != "" && s[0] != '#' {
		word, rest, _ := strings.Cut(s, " ")
		switch s = rest; {
		case word == "":
		case l.Name == "":
			l.Name = word
		default:
			l.Words = append(l.Words, word) // target
		}
	}
	return l
}
