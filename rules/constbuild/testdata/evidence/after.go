// Package evidence escapes texts.
package evidence

import "strings"

var escapeReplacer = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Escape returns a text as it stands in a document.
func Escape(s string) string {
	return escapeReplacer.Replace(s)
}
