package sheet

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text into lines of at most width columns, at spaces that are not
// inside a figure and its unit. A word longer than a line has one to itself.
func Wrap(t string, width int) []string {
	width = max(width, 10)
	var lines []string
	line := ""
	for _, word := range Pieces(t) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// Fit breaks the lines of a message that are longer than width, and indents what goes
// on below. A line that begins with a blank is laid out already, or is a command, and
// stays.
func Fit(t string, width int) string {
	lines := strings.Split(t, "\n")
	for i, l := range lines {
		if utf8.RuneCountInString(l) > width && !strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "\t") {
			lines[i] = strings.Join(Wrap(l, width-len(under)), "\n"+under)
		}
	}
	return strings.Join(lines, "\n")
}

// under begins what goes on of a line of a message.
const under = "  "

// Pieces splits text at spaces, and keeps figures with the units behind them
// and intervals in one piece.
func Pieces(t string) []string {
	var out []string
	for _, w := range strings.Fields(t) {
		if n := len(out); n > 0 && sticks(out[n-1], w) {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

// sticks reports whether the word w belongs on the same line as what stands
// before it.
func sticks(before, w string) bool {
	if i := strings.LastIndexByte(before, '['); i >= 0 && strings.HasSuffix(before, ",") && endsInDigit(before[:len(before)-1]) {
		return strings.Contains(w, "]") // the second half of [lo, hi]
	}
	return unitWords[strings.TrimRight(w, ".,;:)]")] && (endsInDigit(before) || strings.HasSuffix(before, "open]"))
}

var unitWords = map[string]bool{"%": true, "ns": true, "µs": true, "us": true, "ms": true, "s": true, "min": true,
	"h": true, "B": true, "KiB": true, "MiB": true, "GiB": true}

func endsInDigit(w string) bool {
	w = strings.TrimRight(w, "]")
	return w != "" && '0' <= w[len(w)-1] && w[len(w)-1] <= '9'
}

// Cut shortens text to width columns and shows that it did.
func Cut(t string, width int, ascii bool) string {
	if utf8.RuneCountInString(t) <= width {
		return t
	}
	end := "…"
	if ascii {
		end = "..."
	}
	keep := max(0, width-utf8.RuneCountInString(end))
	return strings.TrimRight(string([]rune(t)[:keep]), " ") + end
}
