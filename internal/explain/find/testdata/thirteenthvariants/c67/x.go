package c67

import (
	"bytes"
	"os"
	"path/filepath"
)

// V1 generic code

type located interface {
	~string
}

func stale[P located](source, installed P, names []string) ([]string, error) {
	var changed []string
	for _, name := range names {
		want, err := os.ReadFile(filepath.Join(string(source), name))
		if err != nil {
			return nil, err
		}
		have, err := os.ReadFile(filepath.Join(string(installed), name))
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		if !bytes.Equal(want, have) {
			changed = append(changed, name)
		}
	}
	return changed, nil
}
