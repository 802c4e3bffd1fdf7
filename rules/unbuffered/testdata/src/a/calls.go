package a

import (
	"os"
	"strconv"
)

func byLiteral(path string, counts []int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	put := func(n int) error {
		_, err := f.WriteString(strconv.Itoa(n) + "\n")
		return err
	}
	for _, n := range counts {
		if err := put(n); err != nil { // want `each write to f in this loop is a system call`
			f.Close()
			return err
		}
	}
	return f.Close()
}

// What follows is left alone.

func synced(path string, counts []int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	put := func(n int) error {
		if _, err := f.WriteString(strconv.Itoa(n) + "\n"); err != nil {
			return err
		}
		return f.Sync()
	}
	for _, n := range counts {
		if err := put(n); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}

func onlyOnce(path string, counts []int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	put := func(text string) error {
		_, err := f.WriteString(text + "\n")
		return err
	}
	if err := put("counts"); err != nil {
		return err
	}
	return f.Close()
}
