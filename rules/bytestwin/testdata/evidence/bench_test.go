package evidence

import (
	"bytes"
	"testing"
)

func BenchmarkErrors(b *testing.B) {
	lines := bytes.Split(bytes.Repeat([]byte("2026-11-26 22:00:00 request served in 12 ms\n2026-11-26 22:00:00 error: no such page here\n"), 50), []byte("\n"))
	b.ReportAllocs()
	for b.Loop() {
		if Errors(lines) != 50 {
			b.Fatal("half of them are errors")
		}
	}
}
