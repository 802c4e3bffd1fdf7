// Package evidence classifies links.
package evidence

import "strings"

// Kind returns what a link leads to.
func Kind(link string) string {
	lower := strings.ToLower(link) // target
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return "web"
	}
	if strings.HasPrefix(lower, "mailto:") {
		return "mail"
	}
	if lower == "about:blank" {
		return "none"
	}
	return "other"
}
