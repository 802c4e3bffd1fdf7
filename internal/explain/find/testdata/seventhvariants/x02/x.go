package x02

import (
	"io"
	"strings"
)

// V1 method, variable, other call
type page struct{ title, body string }

func (p page) WriteTo(w io.Writer) error {
	clean := strings.NewReplacer("\r\n", "\n", "\t", "    ")
	if _, err := clean.WriteString(w, p.title); err != nil {
		return err
	}
	_, err := clean.WriteString(w, p.body)
	return err
}
