package quote

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blanks has a blank for all that breaks or widens a line.
var blanks = strings.NewReplacer("\n", " ", "\t", " ", "\r", " ")

// Line makes one line of text that others wrote, quoted.
func Line(s string) string { return strings.TrimSpace(Text(blanks.Replace(s))) }

// Hidden reports whether r is a control character or turns the direction of
// writing.
func Hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Text returns text that others wrote as it may go to a terminal: what would
// be obeyed there, and what makes a line of code read as another, is written as
// its escape. Lines and tabs stay. What stands in a string of JSON keeps its
// meaning, since encoding/json has escaped all for which the forms differ.
func Text(s string) string {
	obeyed := func(r rune) bool { return r != '\n' && r != '\t' && Hidden(r) }
	if utf8.ValidString(s) && strings.IndexFunc(s, obeyed) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1, r < ' ' && obeyed(r):
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case obeyed(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// own are the sequences that this package writes for a terminal itself.
var own = regexp.MustCompile("\r?\x1b\\[(?:[012]|3[123])?[mK]")

// Shown is Quoted for text that pawl has written out already: its own colours
// and the line of progress stay.
func Shown(s string) string {
	var b strings.Builder
	last := 0
	for _, m := range own.FindAllStringIndex(s, -1) {
		b.WriteString(Text(s[last:m[0]]) + s[m[0]:m[1]])
		last = m[1]
	}
	return b.String() + Text(s[last:])
}
