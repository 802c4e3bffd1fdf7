package c63

import (
	"os"
	"path/filepath"
	"strings"
)

// V2 method

type pluginSet struct {
	dir    string
	prefix string
}

func (p *pluginSet) discover() ([]string, error) {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), p.prefix) {
			continue
		}
		info, err := os.Stat(filepath.Join(p.dir, e.Name()))
		if err != nil || info.IsDir() {
			continue
		}
		names = append(names, e.Name())
	}
	return names, nil
}
