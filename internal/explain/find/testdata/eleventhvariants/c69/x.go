package c69

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// V4 generic

func saveAll[T any](root, kind string, items map[string]T) error {
	dir := filepath.Join(root, kind)
	for name, item := range items {
		data, err := json.Marshal(item)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".json"), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
