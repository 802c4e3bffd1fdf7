// Package evidence compares files.
package evidence

import (
	"bytes"
	"os"
)

// Same reports whether two files have the same content.
func Same(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	y, err := os.ReadFile(b)
	if err != nil {
		return false, err
	}
	return bytes.Equal(x, y), nil
}
