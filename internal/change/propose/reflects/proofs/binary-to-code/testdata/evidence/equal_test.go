package equal

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// said returns what a call writes and returns.
func said(copy func(io.Writer, io.Reader) (uint64, error), frame []byte) string {
	var w bytes.Buffer
	sum, err := copy(&w, bytes.NewReader(frame))
	return fmt.Sprintf("%x %d %v", w.Bytes(), sum, err)
}

func TestCopy(t *testing.T) {
	frame := []byte("abcd\x00\x01\xff\xff\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x03\xe8\x00\x00\x00\x00\x00\x00\x07\xd0\x00\x00\x00\x00\x00\x00\x0b\xb8\xb6\xab\x7c\x0f")
	for n := range len(frame) + 1 {
		if a, b := said(before.Copy, frame[:n]), said(after.Copy, frame[:n]); a != b {
			t.Errorf("%d bytes: %s, then %s", n, a, b)
		}
	}
	frame[4]++
	if a, b := said(before.Copy, frame), said(after.Copy, frame); a != b {
		t.Errorf("%s, then %s", a, b)
	}
}
