package x

import (
	"fmt"
	"os"
)

// V4 in generic code
func dump[T any](name string, xs []T) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, x := range xs {
		if _, err := fmt.Fprintln(f, x); err != nil {
			return err
		}
	}
	return nil
}
