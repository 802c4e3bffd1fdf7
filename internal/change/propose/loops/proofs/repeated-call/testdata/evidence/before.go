// Package evidence writes parts of names, and acronyms in capitals.
package evidence

import "strings"

var acronyms = map[string]bool{"ID": true, "URL": true, "HTTP": true}

// Name returns a part of a name as it is written.
func Name(s string) string {
	if acronyms[strings.ToUpper(s)] { // hot
		return strings.ToUpper(s)
	}
	return s
}
