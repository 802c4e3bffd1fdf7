package b

import (
	"os"
	"path/filepath"
)

// The import of path/filepath goes with the call.
func links(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Lstat(path) // want `a system call for each entry`
		if err != nil || info.Mode().Type() != os.ModeSymlink {
			continue
		}
		n += len(info.Name())
	}
	return n
}
