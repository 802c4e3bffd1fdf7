package pawldrive

import (
	"regexp"
	"strings"
)

// marks are what the copies of a function or type leave in texts: their names, and in stack traces their files with lines and
// offsets, arguments, goroutines and addresses. A function that only one side has a copy of stands in a file of its own there.
// Other numbers are what the functions say.
var marks = regexp.MustCompile(`(?m)[^/\s]+\.go\b(:[0-9]+)?( \+0x[0-9a-f]+)?|pawl[01](call[0-9]+)?|\(\{?0x[^()\n]*\)$|\(0x[0-9a-f]+\)|0x[0-9a-f]{9,}|goroutine [0-9]+`)

// alike reports whether texts are equal, the driver's own names aside, where one has some.
func alike(x, y string) bool {
	return x == y || (marked(x) || marked(y)) && marks.ReplaceAllString(x, "") == marks.ReplaceAllString(y, "")
}

// unmarked returns the name of a type without what a copy of it has.
func unmarked(name string) string {
	if !marked(name) {
		return name
	}
	return marks.ReplaceAllString(name, "")
}

func marked(s string) bool { return strings.Contains(s, "pawl0") || strings.Contains(s, "pawl1") }
