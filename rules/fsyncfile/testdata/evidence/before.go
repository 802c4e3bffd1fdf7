// Package evidence writes files for good.
package evidence

import "os"

// Write writes files, and returns when they are on the disk.
func Write(files map[*os.File][]byte, log *os.File) error {
	for f, data := range files {
		if _, err := f.Write(data); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return nil
}
