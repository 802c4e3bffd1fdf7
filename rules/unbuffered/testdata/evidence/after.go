// Package evidence writes lines to a file.
package evidence

import (
	"bufio"
	"fmt"
	"os"
)

// WriteLines writes the lines at the file's current offset.
func WriteLines(f *os.File, lines []string) error {
	w := bufio.NewWriter(f)
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return fmt.Errorf("writing lines: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing lines: %w", err)
	}
	return nil
}
