package evidence

import (
	"bytes"
	"testing"
)

func BenchmarkCount(b *testing.B) {
	log := bytes.Repeat([]byte("10.20.30.40 GET /a/path/that/is/somewhat/long 200\n- no address here, but a longer text\n"), 20)
	b.ReportAllocs()
	for b.Loop() {
		if Count(log) != 20 {
			b.Fatal("wrong count")
		}
	}
}
