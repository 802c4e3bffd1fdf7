package c64

import "os"

// V5 two functions
func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}

func load(p string) ([]byte, error) {
	if !exists(p) {
		return nil, nil
	}
	return os.ReadFile(p)
}
