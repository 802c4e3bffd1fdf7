// Package evidence reads settings.
package evidence

import (
	"bufio"
	"strings"
)

// Parse reads lines of the form name = value.
func Parse(text string) (map[string]string, error) {
	found := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() { // target
		line := lines.Text()
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		found[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return found, lines.Err()
}
