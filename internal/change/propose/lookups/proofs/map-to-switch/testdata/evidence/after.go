// Package evidence counts the words of a language in a text.
package evidence

// A Kind is what sort of word it is.
type Kind int

// kindsHas returns what belongs to a key, and whether there is such a thing.
func kindsHas(key string) (value Kind, ok bool) {
	switch key {
	case "if", "else", "switch", "case":
		return 1, true
	case "for", "range":
		return 2, true
	case "func", "type", "var", "const":
		return 3, true
	case "return", "break", "continue", "goto":
		return 4, true
	}
	return value, false
}

// Count returns how many words there are of each kind.
func Count(words []string) (counts [5]int) {
	for _, w := range words {
		if k, ok := kindsHas(w); ok { // hot
			counts[k]++
		}
	}
	return counts
}
