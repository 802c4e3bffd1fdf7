package evidence

import (
	"bytes"
	"testing"
)

func BenchmarkNext(b *testing.B) {
	data := bytes.Repeat([]byte{0, 0, 0, 1, 0, 0, 0, 0}, 100)
	src := bytes.NewReader(data)
	r := New(src)
	b.ReportAllocs()
	for b.Loop() {
		src.Reset(data)
		n := 0
		for {
			kind, _, err := r.Next()
			if err != nil {
				break
			}
			n += int(kind)
		}
		if n != 100 {
			b.Fatal("records are missing")
		}
	}
}
