package evidence

import (
	"bytes"
	"testing"
)

func BenchmarkEncode(b *testing.B) {
	numbers := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	buf := new(bytes.Buffer)
	b.ReportAllocs()
	for b.Loop() {
		buf.Reset()
		Encode(buf, numbers)
	}
	if buf.Len() != 40 {
		b.Fatal(buf.Len())
	}
}
