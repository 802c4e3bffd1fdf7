// Package evidence reads words one by one.
package evidence

import "strings"

// Counter returns a function that returns the next word of s and its number, "" behind the last.
func Counter(s string) func() (word string, number int) {
	n := 0 // target
	rest := s
	return func() (string, int) {
		word, more, _ := strings.Cut(rest, " ")
		rest = more
		n++
		return word, n
	}
}
