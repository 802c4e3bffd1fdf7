package c69

import (
	"os"
	"path/filepath"
	"strconv"
)

// V1 method, field, range over int
type spool struct {
	dir   string
	items [][]byte
}

func (s *spool) Names() ([]string, error) {
	names := make([]string, 0, len(s.items))
	for i := range len(s.items) {
		base, err := filepath.Abs(s.dir)
		if err != nil {
			return nil, err
		}
		names = append(names, base+"/"+strconv.Itoa(i))
	}
	return names, nil
}

// V2 two functions
func save(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), data, 0o644)
}

func SaveAll(dir string, parts map[string][]byte) error {
	for name, data := range parts {
		if err := save(dir, name, data); err != nil {
			return err
		}
	}
	return nil
}
