package pawldrive

import (
	"regexp"
	"strings"
)

// marks are what the copies of a function leave in stack traces: their names,
// their files, and the lines and addresses in them.
var marks = regexp.MustCompile(`zz_pawl[01]_[0-9]+\.go|zz_pawl_call\.go|pawl[01](call[0-9]+)?|:[0-9]+|\+?0x[0-9a-f]+|goroutine [0-9]+`)

// plain returns a text without the driver's own names, where it has some.
func plain(s string) string {
	if !strings.Contains(s, "pawl0") && !strings.Contains(s, "pawl1") {
		return s
	}
	return marks.ReplaceAllString(s, "")
}
