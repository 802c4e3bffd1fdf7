package c58

import (
	"bufio"
	"bytes"
	"io"
	"unsafe"
)

// V1 renamed

type counters map[string]int

func tally(r io.Reader) (counters, error) {
	seen := counters{}
	in := bufio.NewScanner(r)
	for in.Scan() {
		verb, _, ok := bytes.Cut(in.Bytes(), []byte{' '})
		if !ok {
			continue
		}
		name := *(*string)(unsafe.Pointer(&verb))
		if _, known := seen[name]; !known {
			seen[string(verb)] = 1
			continue
		}
		seen[name]++
	}
	return seen, in.Err()
}
