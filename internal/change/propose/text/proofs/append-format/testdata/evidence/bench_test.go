package evidence

import (
	"bytes"
	"testing"
)

func BenchmarkLine(b *testing.B) {
	rows := []Row{{"apples", 123456, true}, {"pears", -7000, false}, {"plums", 1 << 40, true}}
	var buf bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		buf.Reset()
		Write(&buf, rows)
		if buf.Len() == 0 {
			b.Fatal("nothing was written")
		}
	}
}
