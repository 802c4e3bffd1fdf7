// Package evidence escapes texts.
package evidence

import "strings"

// Escape returns a text as it stands in a document.
func Escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}
