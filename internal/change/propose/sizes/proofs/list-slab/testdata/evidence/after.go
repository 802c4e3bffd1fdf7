// Package evidence reads the head of a message.
package evidence

import "strings"

// Parse returns the values of each field.
func Parse(head string) map[string][]string {
	fields := make(map[string][]string)
	var room []string
	for head != "" {
		line, rest, _ := strings.Cut(head, "\n")
		name, value, _ := strings.Cut(line, ": ")
		list := fields[name]
		if list == nil {
			if len(room) == 0 {
				room = make([]string, 8)
			}
			list, room = room[:0:1], room[1:]
		}
		fields[name] = append(list, value) // target
		head = rest
	}
	return fields
}
