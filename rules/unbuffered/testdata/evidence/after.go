// Package evidence saves lines to a file.
package evidence

import "bufio"
import "os"

// Save writes the lines to a file, which it makes or truncates.
func Save(file string, lines []string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, line := range lines {
		if _, err := w.WriteString(line + "\n"); err != nil {
			_ = f.Close()
			return err
		}
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
