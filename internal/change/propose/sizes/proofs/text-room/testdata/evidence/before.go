// Package evidence lists names.
package evidence

import (
	"fmt"
	"strings"
)

// List returns the names that next comes to, until there is none.
func List(next func() (string, bool)) string {
	var b strings.Builder
	for name, ok := next(); ok; name, ok = next() {
		fmt.Fprintf(&b, "%s; ", name) // target
	}
	return b.String()
}
