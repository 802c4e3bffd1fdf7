package c67

import (
	"io"
	"os"
	"slices"
)

// V1 two functions, other calls
func content(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func Changed(name, backup string) (bool, error) {
	now, err := content(name)
	if err != nil {
		return false, err
	}
	then, err := content(backup)
	if err != nil {
		return false, err
	}
	return !slices.Equal(now, then), nil
}
