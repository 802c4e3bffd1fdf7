// Package evidence writes lines.
package evidence

import "io"

// Lines writes texts as lines.
func Lines(w io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := w.Write([]byte(line)); err != nil {
			return err
		}
		if _, err := w.Write([]byte("\r\n")); err != nil {
			return err
		}
	}
	return nil
}
