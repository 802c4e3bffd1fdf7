// Package evidence writes files for good.
package evidence

import "os"

// Write writes files and a log of them, which alone is synced: what the log has
// and a file has not, is written again after a crash.
func Write(files map[*os.File][]byte, log *os.File) error {
	for f, data := range files {
		if _, err := f.Write(data); err != nil {
			return err
		}
		if _, err := log.Write(data); err != nil {
			return err
		}
	}
	return log.Sync()
}
