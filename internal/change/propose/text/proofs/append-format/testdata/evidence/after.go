// Package evidence writes a table as lines of text.
package evidence

import (
	"bytes"
	"strconv"
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
		buf.Write(strconv.AppendInt(buf.AvailableBuffer(), int64(i), 10))
		buf.WriteByte(' ')
		buf.WriteString(r.Name)
		buf.WriteByte('=')
		buf.Write(strconv.AppendInt(buf.AvailableBuffer(), r.Count, 10))
		buf.WriteByte(' ')
		buf.WriteString(strconv.FormatBool(r.Done))
		buf.WriteString(" (")
		buf.Write(strconv.AppendQuote(buf.AvailableBuffer(), r.Name))
		buf.WriteString(")\n") // target
	}
}
