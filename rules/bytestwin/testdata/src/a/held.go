package a

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Strings in variables that are only looked at.

type grep struct{ re *regexp.Regexp }

func (g *grep) matches(rows [][]byte) (n int) {
	for i := range rows {
		row := string(rows[i]) // want `the bytes are copied into row, which is only looked at; the functions that do so have twins for bytes`
		switch {
		case len(row) == 0 || row == "-":
		case utf8.ValidString(row) && g.re.MatchString(row):
			n++
		}
	}
	return n
}

func flags(line []byte) bool {
	text := string(line[1:]) // want `the bytes are copied into text`
	if strings.HasPrefix(text, "--") {
		return true
	}
	return strings.Contains(text, "=")
}

// What follows is left alone.

func kept(line []byte, all map[string]bool) bool {
	text := string(line)
	all[text] = true
	return strings.HasPrefix(text, "--")
}

func read(buf []byte, fill func([]byte)) bool {
	text := string(buf)
	fill(buf)
	return strings.HasPrefix(text, "--")
}

func compared(line []byte) bool {
	text := string(line)
	return text == "-" || text == "+"
}

func cut(line []byte) (string, bool) {
	text := string(line)
	return strings.CutPrefix(text, "--")
}
