package c43

import (
	"regexp"
	"strings"
)

// V5 two functions
func matches(line string) []string {
	re := regexp.MustCompile(`(\w+)=("[^"]*"|\S+)`)
	return re.FindStringSubmatch(line)
}

func parseFields(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if m := matches(line); m != nil {
			fields[m[1]] = m[2]
		}
	}
	return fields
}
