package evidence

import (
	"bytes"
	"io"
	"testing"
)

// plain hides what io.Copy could use instead of reading and writing.
type plain struct {
	io.Reader
	io.Writer
}

type sink struct{ n int }

func (s *sink) Write(b []byte) (int, error) {
	s.n += len(b)
	return len(b), nil
}

func BenchmarkForward(b *testing.B) {
	page := bytes.Repeat([]byte("x"), 64<<10)
	var s sink
	b.ReportAllocs()
	for b.Loop() {
		p := plain{bytes.NewReader(page), &s}
		if err := Forward(p, p); err != nil {
			b.Fatal(err)
		}
	}
}
