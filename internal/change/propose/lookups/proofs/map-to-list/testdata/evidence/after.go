// Package evidence tells languages by their symbols.
package evidence

import "strings"

var patterns = []struct {
	key   string
	value []string
}{
	{"go", []string{".go", "/usr/local/go/"}},
	{"java", []string{"java/", "sun/"}},
	{"ruby", []string{".rb", "gems/"}},
	{"nodejs", []string{"./node_modules/", ".js"}},
	{"python", []string{".py"}},
}

// Language returns the language of a symbol, "" for none.
func Language(symbol string) string {
	for _, entry := range patterns {
		language, all := entry.key, entry.value // target
		for _, p := range all {
			if strings.HasPrefix(symbol, p) || strings.HasSuffix(symbol, p) {
				return language
			}
		}
	}
	return ""
}
