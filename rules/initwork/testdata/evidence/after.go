// Package evidence looks up words.
package evidence

import (
	"os"
	"strings"
	"sync"
)

var words = sync.OnceValue(func() map[string]bool {
	data, _ := os.ReadFile("/usr/share/dict/words")
	words := make(map[string]bool)
	for word := range strings.FieldsSeq(string(data)) {
		words[word] = true
	}
	return words
})

// Known reports whether a word is in the dictionary.
func Known(word string) bool { return words()[word] }
