// Package evidence writes a table as lines of text.
package evidence

import (
	"bytes"
	"fmt"
)

// A Row is one line of the table.
type Row struct {
	Name  string
	Count int64
	Done  bool
}

// Write writes the rows.
func Write(buf *bytes.Buffer, rows []Row) {
	for i, r := range rows {
		fmt.Fprintf(buf, "%d %s=%d %t (%q)\n", i, r.Name, r.Count, r.Done, r.Name) // target
	}
}
