package recode

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A cond is a condition and its opposite, and whether they are joined by || or
// && so that brackets are needed beside the other.
type cond struct {
	pos, neg string
	or, and  bool // pos has ||, neg has &&
}

// operand returns the condition as an operand of &&, or its opposite as one of
// ||.
func (c cond) operand(pos bool) string {
	switch {
	case pos && c.or:
		return "(" + c.pos + ")"
	case pos:
		return c.pos
	case c.and:
		return "(" + c.neg + ")"
	}
	return c.neg
}

// An at is a place in the text: a variable and a number.
type at struct {
	v string
	n int
}

func (p at) String() string {
	switch {
	case p.v == "":
		return fmt.Sprint(p.n)
	case p.n == 0:
		return p.v
	case p.n < 0:
		return fmt.Sprintf("%s-%d", p.v, -p.n)
	}
	return fmt.Sprintf("%s+%d", p.v, p.n)
}

func (p at) plus(n int) at { return at{p.v, p.n + n} }

// slice writes s[p:q].
func slice(p, q at) string {
	from := p.String()
	if from == "0" {
		from = ""
	}
	return "s[" + from + ":" + q.String() + "]"
}

// index writes s[p].
func index(p at) string { return "s[" + p.String() + "]" }

// has is the condition that the text has a byte at p.
func has(p at) cond {
	switch {
	case p.v == "" && p.n == 0:
		return cond{pos: `s != ""`, neg: `s == ""`}
	case p.v == "":
		return cond{pos: fmt.Sprintf("len(s) > %s", p), neg: fmt.Sprintf("len(s) <= %s", p)}
	}
	return cond{pos: fmt.Sprintf("%s < len(s)", p), neg: fmt.Sprintf("%s >= len(s)", p)}
}

// endsAt is the condition that the text ends at p.
func endsAt(p at) cond {
	if p.v == "" && p.n == 0 {
		return cond{pos: `s == ""`, neg: `s != ""`}
	}
	if p.v == "" {
		return cond{pos: fmt.Sprintf("len(s) == %s", p), neg: fmt.Sprintf("len(s) != %s", p)}
	}
	return cond{pos: fmt.Sprintf("%s == len(s)", p), neg: fmt.Sprintf("%s != len(s)", p)}
}

// wellKnown has names for common classes.
var wellKnown = map[string]string{
	"[0-9]": "Digit", "[1-9]": "NonZeroDigit", "[a-z]": "Lower", "[A-Z]": "Upper", "[A-Za-z]": "Letter",
	"[0-9A-Za-z]": "Alnum", "[0-9a-z]": "LowerAlnum", "[0-9A-Z]": "UpperAlnum", "[0-9A-F]": "UpperHex",
	"[0-9a-f]": "LowerHex", "[0-9A-Fa-f]": "Hex", "[0-9A-Z_a-z]": "Word", "[A-Z_a-z]": "WordStart",
	`[\t\n\f\r ]`: "Space", "[01]": "Bit", "[0-7]": "Octal",
}

// nameOf returns the second half of the name of a helper for a set.
func nameOf(s *set) string {
	return cmp.Or(wellKnown[bracketed(s)], anyByte)
}

// anyByte is the name of a byte in a class that has no name.
const anyByte = "Byte"

// bracketed writes a set as a class of a regular expression.
func bracketed(s *set) string {
	ranges, open := s.ranges(true), "["
	if s.high() {
		ranges, open = s.ranges(false), "[^"
	}
	var b strings.Builder
	b.WriteString(open)
	for _, r := range ranges {
		b.WriteString(classByte(r[0]))
		if r[1] > r[0]+1 {
			b.WriteByte('-')
		}
		if r[1] > r[0] {
			b.WriteString(classByte(r[1]))
		}
	}
	return b.String() + "]"
}

func classByte(b int) string {
	switch {
	case strings.ContainsRune(`\]-^`, rune(b)):
		return `\` + string(rune(b))
	case b < ' ' || b >= utf8.RuneSelf-1:
		q := fmt.Sprintf("%q", rune(b))
		if b >= utf8.RuneSelf-1 {
			return fmt.Sprintf(`\x%02x`, b)
		}
		return q[1 : len(q)-1]
	}
	return string(rune(b))
}
