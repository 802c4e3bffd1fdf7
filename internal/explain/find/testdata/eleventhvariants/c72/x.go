package c72

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// V3 closure

type dependency struct {
	Name, Version string
	Extras        []string
}

type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Scripts      map[string]string `json:"scripts"`
	Dependencies []dependency      `json:"dependencies"`
	Files        []string          `json:"files"`
}

func packageNames(root string) ([]string, error) {
	var names []string
	read := func(path string) (string, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		var m manifest
		if err := json.Unmarshal(data, &m); err != nil {
			return "", err
		}
		return m.Name, nil
	}
	paths, err := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		name, err := read(path)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}
