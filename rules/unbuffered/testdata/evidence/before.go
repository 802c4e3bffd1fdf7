// Package evidence saves lines to a file.
package evidence

import "os"

// Save writes the lines to a file, which it makes or truncates.
func Save(file string, lines []string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := f.WriteString(line + "\n"); err != nil {
			_ = f.Close()
			return err
		}
	}
	return f.Close()
}
