package c63

import (
	"os"
	"path/filepath"
	"strings"
)

// V1 renamed

func pluginsIn(dir string) (map[string]int64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	sizes := make(map[string]int64)
	for _, entry := range entries {
		name, ok := strings.CutPrefix(entry.Name(), "plugin-")
		if !ok {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, entry.Name()))
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			continue
		}
		sizes[name] = info.Size()
	}
	return sizes, nil
}
