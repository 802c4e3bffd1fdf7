// Package evidence writes lists.
package evidence

import (
	"fmt"
	"strings"
)

// List writes names in brackets.
func List(b *strings.Builder, names []string) {
	for _, name := range names {
		b.WriteString("name: ")
		b.WriteString(name)
	}
	fmt.Fprintln(b)
}
