// Package evidence writes attributes of elements.
package evidence

import "strings"

// Attribute returns a name with its value between quotes.
func Attribute(name, value string) string {
	return name + `="` + escape(value) + `"`
}

func escape(s string) string {
	s = escapeReplacer.Replace(s) // target
	return s
}

// escapeReplacer is what escape replaces.
var escapeReplacer = strings.NewReplacer(
	"&", "&amp;",
	"<", "&lt;",
	">", "&gt;",
	"\"", "&#34;",
)
