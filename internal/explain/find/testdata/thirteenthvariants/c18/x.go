package c18

import (
	"bufio"
	"encoding/json"
	"io"
)

// V1 closure

type logLine struct {
	Time    int64             `json:"time"`
	Level   string            `json:"level"`
	Message string            `json:"msg"`
	Attrs   map[string]string `json:"attrs"`
}

func follow(r io.Reader) (<-chan *logLine, <-chan error) {
	lines := make(chan *logLine)
	failed := make(chan error, 1)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(r)
		for in.Scan() {
			line := new(logLine)
			if err := json.Unmarshal(in.Bytes(), line); err != nil {
				failed <- err
				return
			}
			lines <- line
		}
		failed <- in.Err()
	}()
	return lines, failed
}

func countErrors(lines <-chan *logLine) int {
	n := 0
	for line := range lines {
		if line.Level == "ERROR" {
			n++
		}
	}
	return n
}
