// Package evidence counts the words of a text.
package evidence

import "strings"

// Count returns how often each word stands in a text.
func Count(text string) map[string]int {
	counts := map[string]int{}
	for text != "" {
		word, rest, _ := strings.Cut(text, " ")
		if text = rest; word != "" {
			counts[word]++ // target
		}
	}
	return counts
}
