package x

import (
	"bytes"
	"fmt"
)

// V3 in a closure
func page(rows []string) string {
	var b bytes.Buffer
	line := func(s string) {
		fmt.Fprint(&b, "<tr>")
		b.WriteString(s)
		fmt.Fprint(&b, "</tr>\n")
	}
	for _, r := range rows {
		line(r)
	}
	return b.String()
}
