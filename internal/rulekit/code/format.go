package code

import (
	"regexp"
	"strings"
)

// A FormatPiece is a part of a format of package fmt: text, or a verb with what stands between it and its '%'.
type FormatPiece struct {
	Text  string
	Verb  byte   // 0 for text
	Flags string // flags, width and precision
}

// Sharp reports whether the verb has the flag '#'.
func (p FormatPiece) Sharp() bool { return strings.Contains(p.Flags, "#") }

// directive is a verb that takes the operand after the one before, or "%%". Above a million fmt takes no width.
var directive = regexp.MustCompile(`^%([-+# 0]*[0-9]{0,6}(?:\.[0-9]{0,6})?)([a-zA-Z%])`)

// Format splits a format. It is not ok where a '%' begins something else: an explicit index, a '*', or a mistake.
func Format(format string) (pieces []FormatPiece, ok bool) {
	text := ""
	for at := strings.IndexByte(format, '%'); at >= 0; at = strings.IndexByte(format, '%') {
		m := directive.FindStringSubmatch(format[at:])
		if m == nil {
			return nil, false
		}
		text, format = text+format[:at], format[at+len(m[0]):]
		if m[2] == "%" { // whatever the flags
			text += "%"
			continue
		}
		if text != "" {
			pieces = append(pieces, FormatPiece{Text: text})
		}
		text, pieces = "", append(pieces, FormatPiece{Verb: m[2][0], Flags: m[1]})
	}
	if text += format; text != "" {
		pieces = append(pieces, FormatPiece{Text: text})
	}
	return pieces, true
}

// Verbs returns the verbs of a format in the order of their operands.
func Verbs(format string) (verbs []FormatPiece, ok bool) {
	pieces, ok := Format(format)
	for _, p := range pieces {
		if p.Verb != 0 {
			verbs = append(verbs, p)
		}
	}
	return verbs, ok
}
