// Package evidence lists the commands in a directory of the PATH.
package evidence

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Commands returns the names of the files in dir that start with a prefix;
// links do not count.
func Commands(dir, prefix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || e.Type()&fs.ModeSymlink != 0 {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		names = append(names, e.Name())
	}
	return names, nil
}
