// Package evidence looks up words.
package evidence

import (
	"os"
	"strings"
)

var words map[string]bool

func init() {
	data, _ := os.ReadFile("/usr/share/dict/words")
	words = make(map[string]bool)
	for word := range strings.FieldsSeq(string(data)) {
		words[word] = true
	}
}

// Known reports whether a word is in the dictionary.
func Known(word string) bool { return words[word] }
