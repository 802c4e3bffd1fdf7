// Package evidence writes lists.
package evidence

import (
	"fmt"
	"strings"
)

// List writes names in brackets.
func List(b *strings.Builder, names []string) {
	for _, name := range names {
		fmt.Fprintf(b, "name: ")
		fmt.Fprint(b, name)
	}
	fmt.Fprintln(b)
}
