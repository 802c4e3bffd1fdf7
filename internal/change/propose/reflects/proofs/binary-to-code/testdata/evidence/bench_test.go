package evidence

import (
	"bytes"
	"io"
	"testing"
)

func BenchmarkCopy(b *testing.B) {
	frame := []byte("abcd\x00\x01\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x03\xe8\x00\x00\x00\x00\x00\x00\x07\xd0\x00\x00\x00\x00\x00\x00\x0b\xb8\xb6\xab\x7c\x0f")
	r := bytes.NewReader(nil)
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(frame)
		if sum, err := Copy(io.Discard, r); sum != 6000 || err != nil {
			b.Fatal(sum, err)
		}
	}
}
