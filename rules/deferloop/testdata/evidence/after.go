// Package evidence adds up the sizes of files.
package evidence

import (
	"fmt"
	"io"
	"os"
)

// Total writes how many bytes the files hold together to total, and the files
// themselves to w.
func Total(w io.Writer, names []string, total *int64) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := func() error {
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				return fmt.Errorf("total: %w", err)
			}
			if info.Size() == 0 {
				return nil
			}
			n, err := io.Copy(w, f)
			if err != nil {
				return err
			}
			*total += n
			return nil
		}(); err != nil {
			return err
		}
	}
	return nil
}
