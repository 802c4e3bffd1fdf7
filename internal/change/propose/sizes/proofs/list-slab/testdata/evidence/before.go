// Package evidence reads the head of a message.
package evidence

import "strings"

// Parse returns the values of each field.
func Parse(head string) map[string][]string {
	fields := make(map[string][]string)
	for head != "" {
		line, rest, _ := strings.Cut(head, "\n")
		name, value, _ := strings.Cut(line, ": ")
		fields[name] = append(fields[name], value) // target
		head = rest
	}
	return fields
}
