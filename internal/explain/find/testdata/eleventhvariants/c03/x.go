package c03

import (
	"io"
	"strconv"
)

// V5 two functions

type point struct{ x, y int64 }

func writePoint(w io.Writer, p point) error {
	line := make([]byte, 0, 64)
	line = strconv.AppendInt(line, p.x, 10)
	line = append(line, ',')
	line = strconv.AppendInt(line, p.y, 10)
	line = append(line, '\n')
	_, err := w.Write(line)
	return err
}

func writePath(w io.Writer, path []point) error {
	for _, p := range path {
		if err := writePoint(w, p); err != nil {
			return err
		}
	}
	return nil
}
