// Package evidence writes rows of values as text.
package evidence

import "fmt"

// Row appends the cells of a row to text, each followed by a tab.
func Row(text []byte, cells []any) []byte {
	for _, c := range cells {
		text = append(text, cell(c)...)
		text = append(text, '\t')
	}
	return text
}

func cell(value any) string {
	return fmt.Sprint(value) // target
}
