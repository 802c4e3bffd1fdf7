package a

import (
	"fmt"
	"os"
)

type sample struct{ at, count int }

func (s *sample) row(out *os.File) error {
	_, err := fmt.Fprintf(out, "%d,%d\n", s.at, s.count)
	return err
}

func export(path string, all []sample) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	for i := range all {
		if err := all[i].row(out); err != nil { // want `each write to out in this loop is a system call; a bufio.Writer joins those that are small`
			return err
		}
	}
	return nil
}

// What follows is left alone.

func (s *sample) block(out *os.File, data []byte) error {
	_, err := out.Write(data)
	return err
}

func copies(path string, all []sample, data []byte) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	for i := range all {
		if err := all[i].block(out, data); err != nil {
			return err
		}
	}
	return nil
}
