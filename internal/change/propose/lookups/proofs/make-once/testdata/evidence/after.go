// Package evidence escapes text for a page.
package evidence

import "strings"

var escapeReplacer = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Escape escapes what a page would read as its own, where a field needs it.
func Escape(field, s string) string {
	plain := map[string]bool{
		"id": true, "page": true, "size": true, "sort": true, "user": true,
		"from": true, "to": true, "lang": true, "zone": true, "time": true,
	}
	if plain[field] {
		return s
	}
	return escapeReplacer.Replace(s) // target
}
