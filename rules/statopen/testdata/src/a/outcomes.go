package a

import (
	"errors"
	"io/fs"
	"os"
)

func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func ownOrShared(own, shared string) ([]byte, error) {
	switch {
	case isThere(own): // want `isThere only to see whether os.ReadFile of the same path would find it`
		return os.ReadFile(own)
	default:
		return os.ReadFile(shared)
	}
}

func orEmpty(path string) ([]byte, error) {
	if !isThere(path) { // want `isThere only to see`
		return nil, nil
	} else {
		return os.ReadFile(path)
	}
}

// What follows is left alone.

func either(a, b string) ([]byte, error) {
	switch {
	case isThere(a), isThere(b):
		return os.ReadFile(a)
	}
	return nil, nil
}

func named2(path string) ([]byte, error) {
	switch false {
	case isThere(path):
		return os.ReadFile(path)
	}
	return nil, nil
}

func both(a, b string) ([]byte, error) {
	if isThere(a) && isThere(b) {
		return os.ReadFile(a)
	}
	return nil, nil
}
