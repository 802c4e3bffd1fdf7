package c67

import (
	"bytes"
	"os"
	"path/filepath"
)

// V2 method

type mirror struct{ from, to string }

func (m *mirror) upToDate(rel string) (bool, error) {
	source, err := os.ReadFile(filepath.Join(m.from, rel))
	if err != nil {
		return false, err
	}
	copied, err := os.ReadFile(filepath.Join(m.to, rel))
	if os.IsNotExist(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return bytes.Equal(source, copied), nil
}
