package c35

import (
	"os"
	"strconv"
)

// V1 closure
func Dump(path string, counts []int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	put := func(i, n int) error {
		_, err := f.WriteString(strconv.Itoa(i) + " " + strconv.Itoa(n) + "\n")
		return err
	}
	for i, n := range counts {
		if err := put(i, n); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}
