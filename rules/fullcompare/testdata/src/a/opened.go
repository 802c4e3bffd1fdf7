package a

import (
	"io"
	"os"
	"slices"
)

func contents(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(f)
}

func unlike(name, backup string) (bool, error) {
	now, err := contents(name)
	if err != nil {
		return false, err
	}
	then, err := contents(backup)
	if err != nil {
		return false, err
	}
	return !slices.Equal(now, then), nil // want `both files are read to be compared`
}

// What follows is left alone.

func received(r io.Reader, name string) (bool, error) {
	now, err := io.ReadAll(r)
	if err != nil {
		return false, err
	}
	then, err := contents(name)
	return err == nil && slices.Equal(now, then), err
}
