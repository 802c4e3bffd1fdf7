// Package evidence tells languages by their symbols.
package evidence

import "strings"

var patterns = map[string][]string{
	"go":     {".go", "/usr/local/go/"},
	"java":   {"java/", "sun/"},
	"ruby":   {".rb", "gems/"},
	"nodejs": {"./node_modules/", ".js"},
	"python": {".py"},
}

// Language returns the language of a symbol, "" for none.
func Language(symbol string) string {
	for language, all := range patterns { // target
		for _, p := range all {
			if strings.HasPrefix(symbol, p) || strings.HasSuffix(symbol, p) {
				return language
			}
		}
	}
	return ""
}
