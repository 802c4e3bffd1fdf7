// Package evidence appends records to a file that it opens for each.
package evidence

import (
	"errors"
	"os"
	"path/filepath"
)

// Append adds records to the file rel below root.
func Append(root, rel string, records [][]byte) error {
	if len(records) > 0 {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, rel)), 0o700); err != nil {
			return err
		}
	}
	for _, r := range records {
		path := filepath.Join(root, rel)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(r)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
