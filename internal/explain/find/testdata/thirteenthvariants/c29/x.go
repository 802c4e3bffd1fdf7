package c29

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// V1 method

type span struct {
	op       string
	start    int64
	duration int64
}

type traceReader struct {
	in *bufio.Scanner
}

func newTraceReader(r io.Reader) *traceReader { return &traceReader{in: bufio.NewScanner(r)} }

func (t *traceReader) spans() ([]*span, error) {
	var all []*span
	for t.in.Scan() {
		op, times, _ := strings.Cut(t.in.Text(), " ")
		from, length, _ := strings.Cut(times, "+")
		start, err := strconv.ParseInt(from, 10, 64)
		if err != nil {
			return nil, err
		}
		duration, err := strconv.ParseInt(length, 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, &span{op: op, start: start, duration: duration})
	}
	return all, t.in.Err()
}

func (t *traceReader) busy() (int64, error) {
	spans, err := t.spans()
	var sum int64
	for _, s := range spans {
		sum += s.duration
	}
	return sum, err
}
