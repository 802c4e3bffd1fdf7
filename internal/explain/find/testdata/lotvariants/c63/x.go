package x

import (
	"os"
	"path/filepath"
)

// V3 in a closure
func sizer(root string) func() (int64, error) {
	return func() (int64, error) {
		var total int64
		ents, err := os.ReadDir(root)
		if err != nil {
			return 0, err
		}
		for _, en := range ents {
			st, err := os.Stat(filepath.Join(root, en.Name()))
			if err != nil {
				return 0, err
			}
			if st.IsDir() {
				total++
			}
		}
		return total, nil
	}
}
