// Package evidence writes tables.
package evidence

import (
	"bytes"
	"fmt"
)

// Table writes names and numbers in columns.
func Table(b *bytes.Buffer, names []string) {
	for i, name := range names {
		fmt.Fprintf(b, "%-30s %8d\n", name, i)
	}
}
