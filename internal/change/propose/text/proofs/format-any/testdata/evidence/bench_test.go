package evidence

import "testing"

var (
	text  []byte
	cells = []any{"name", 7, true, "Paris", 42, "a longer text", int64(3), false}
)

func BenchmarkRow(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		text = Row(text[:0], cells)
	}
}
