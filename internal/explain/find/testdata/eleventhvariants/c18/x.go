package c18

import (
	"bytes"
	"strconv"
)

// V5 two functions

type entry struct {
	level   string
	status  int
	message string
}

func parseEntry(line []byte) *entry {
	fields := bytes.SplitN(line, []byte{' '}, 3)
	if len(fields) < 3 {
		return nil
	}
	status, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return nil
	}
	return &entry{level: string(fields[0]), status: status, message: string(fields[2])}
}

func parseStage(lines <-chan []byte, entries chan<- *entry) {
	defer close(entries)
	for line := range lines {
		if e := parseEntry(line); e != nil {
			entries <- e
		}
	}
}
