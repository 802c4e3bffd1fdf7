// Package evidence reads settings.
package evidence

import (
	"bufio"
	"strings"
)

// Parse reads lines of the form name = value.
func Parse(text string) (map[string]string, error) {
	found := map[string]string{}
	var tooLong error
	rest := text
	for rest != "" { // target
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if len(line) >= bufio.MaxScanTokenSize {
			tooLong = bufio.ErrTooLong
			break
		}
		line = strings.TrimSuffix(line, "\r")
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		found[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return found, tooLong
}
