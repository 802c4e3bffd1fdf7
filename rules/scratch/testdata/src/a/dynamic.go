package a

import (
	"bufio"
	"io"
	"strconv"
)

func writeLine(w io.Writer, n int64) error {
	line := make([]byte, 0, 32) // want `the slice line is made on each call of writeLine and dropped at its end`
	line = strconv.AppendInt(line, n, 10)
	line = append(line, '\n')
	_, err := w.Write(line)
	return err
}

func writeLines(w io.Writer, all []int64) error {
	for _, n := range all {
		if err := writeLine(w, n); err != nil {
			return err
		}
	}
	return nil
}

// What follows is left alone.

func buffered(w *bufio.Writer, all []int64) {
	for _, n := range all {
		line := make([]byte, 0, 32) // on the stack
		line = strconv.AppendInt(line, n, 10)
		w.Write(line)
	}
}

func text(n int64) []byte {
	line := make([]byte, 0, 32)
	return strconv.AppendInt(line, n, 10)
}

func texts(all []int64) (out [][]byte) {
	for _, n := range all {
		out = append(out, text(n))
	}
	return out
}
