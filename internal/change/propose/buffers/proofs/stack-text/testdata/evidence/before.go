// Package evidence looks up what is known of a number.
package evidence

import "strconv"

// A Book has names by number, as JSON does.
type Book map[string]string

// Find returns the first name that is known of some numbers.
func (b Book) Find(numbers []int) string {
	for _, n := range numbers {
		if name, ok := b[strconv.Itoa(n)]; ok { // target
			return name
		}
	}
	return ""
}
