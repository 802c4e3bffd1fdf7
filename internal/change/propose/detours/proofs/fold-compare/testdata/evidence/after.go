// Package evidence classifies links.
package evidence

import "strings"

// Kind returns what a link leads to.
func Kind(link string) string {
	lower := link // target
	if lowerHasPrefix(lower, "http://") || lowerHasPrefix(lower, "https://") {
		return "web"
	}
	if lowerHasPrefix(lower, "mailto:") {
		return "mail"
	}
	if lowerIs(lower, "about:blank") {
		return "none"
	}
	return "other"
}

// lowerHasPrefix reports whether strings.HasPrefix(strings.ToLower(s), want). It makes no new text where s is in ASCII.
func lowerHasPrefix(s, want string) bool {
	for i := 0; i < len(want); i++ {
		if i == len(s) {
			return false
		}
		c := s[i]
		switch {
		case c >= 0x80:
			return strings.HasPrefix(strings.ToLower(s), want)
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if c != want[i] {
			return false
		}
	}
	return true
}

// lowerIs reports whether strings.ToLower(s) == want. It makes no new text where s is in ASCII.
func lowerIs(s, want string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 0x80:
			return strings.ToLower(s) == want
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if i == len(want) || c != want[i] {
			return false
		}
	}
	return len(s) == len(want)
}
