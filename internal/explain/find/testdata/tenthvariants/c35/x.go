package c35

import (
	"fmt"
	"os"
)

type Point struct {
	At    int64
	Count int
}

// V1 two functions, slice of structs by index
func Export(path string, points []Point) (err error) {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := out.Close(); err == nil {
			err = cerr
		}
	}()
	for i := range points {
		if err := points[i].row(out); err != nil {
			return err
		}
	}
	return nil
}

func (p *Point) row(out *os.File) error {
	_, err := fmt.Fprintf(out, "%d,%d\n", p.At, p.Count)
	return err
}
