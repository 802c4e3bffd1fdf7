// Package evidence writes attributes of elements.
package evidence

import "strings"

// Attribute returns a name with its value between quotes.
func Attribute(name, value string) string {
	return name + `="` + escape(value) + `"`
}

func escape(s string) string {
	s = strings.Replace(s, "&", "&amp;", -1) // target
	s = strings.Replace(s, "<", "&lt;", -1)
	s = strings.Replace(s, ">", "&gt;", -1)
	s = strings.Replace(s, "\"", "&#34;", -1)
	return s
}
