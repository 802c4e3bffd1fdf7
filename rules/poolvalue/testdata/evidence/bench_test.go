package evidence

import (
	"io"
	"testing"
)

func BenchmarkHex(b *testing.B) {
	sum := make([]byte, 32)
	b.ReportAllocs()
	for b.Loop() {
		if err := Hex(io.Discard, sum); err != nil {
			b.Fatal(err)
		}
	}
}
