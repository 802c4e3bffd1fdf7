package x

import (
	"regexp"
)

// V5 across two functions
var marker = regexp.MustCompile("TODO")

func pending(lines []string) int {
	n := 0
	for _, l := range lines {
		if has(l) {
			n++
		}
	}
	return n
}
func has(l string) bool { return marker.MatchString(l) }
