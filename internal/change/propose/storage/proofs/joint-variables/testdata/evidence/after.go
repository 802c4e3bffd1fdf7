// Package evidence reads words one by one.
package evidence

import "strings"

// Counter returns a function that returns the next word of s and its number, "" behind the last.
func Counter(s string) func() (word string, number int) {
	var vars struct {
		n    int
		rest string
	}
	vars.n = 0 // target
	vars.rest = s
	return func() (string, int) {
		word, more, _ := strings.Cut(vars.rest, " ")
		vars.rest = more
		vars.n++
		return word, vars.n
	}
}
