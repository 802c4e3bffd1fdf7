// Package prisoner is a module whose tests and benchmarks try to get out of the
// sandbox that they run in. Its code is harmless, so that there is something to
// measure and to change.
package prisoner

import "strings"

// Join puts words one after the other.
func Join(words []string) string {
	s := ""
	for _, w := range words {
		s += strings.ToUpper(w)
	}
	return s
}
