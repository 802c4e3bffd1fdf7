package c63

import (
	"os"
	"path/filepath"
)

// V3 closure, missed
func sizes(dir string) (n int64, err error) {
	ents, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	visit := func(e os.DirEntry) bool {
		st, err := os.Stat(filepath.Join(dir, e.Name()))
		return err == nil && st.IsDir()
	}
	for _, e := range ents {
		if visit(e) {
			n++
		}
	}
	return n, nil
}
