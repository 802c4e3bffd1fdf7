// Package evidence looks up what is known of a number.
package evidence

import "strconv"

// A Book has names by number, as JSON does.
type Book map[string]string

// Find returns the first name that is known of some numbers.
func (b Book) Find(numbers []int) string {
	for _, n := range numbers {
		var buf [20]byte
		if name, ok := b[string(strconv.AppendInt(buf[:0], int64(n), 10))]; ok { // target
			return name
		}
	}
	return ""
}
