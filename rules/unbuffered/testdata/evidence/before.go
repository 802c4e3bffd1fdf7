// Package evidence writes lines to a file.
package evidence

import (
	"fmt"
	"os"
)

// WriteLines writes the lines at the file's current offset.
func WriteLines(f *os.File, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(f, line); err != nil {
			return fmt.Errorf("writing lines: %w", err)
		}
	}
	return nil
}
