package pawldrive

import (
	"regexp"
	"strings"
)

// marks are what the copies of a function leave in stack traces: their names,
// their files, and the lines and addresses in them. A function that only one side has a copy of
// stands in a file of its own there.
var marks = regexp.MustCompile(`[^/\s]+\.go\b|pawl[01](call[0-9]+)?|:[0-9]+|\+?0x[0-9a-f]+|goroutine [0-9]+`)

// alike reports whether texts are equal, the driver's own names aside, where one has some.
func alike(x, y string) bool {
	return x == y || (marked(x) || marked(y)) && marks.ReplaceAllString(x, "") == marks.ReplaceAllString(y, "")
}

func marked(s string) bool { return strings.Contains(s, "pawl0") || strings.Contains(s, "pawl1") }
