package evidence

import (
	"testing"
	"time"
)

func BenchmarkRow(b *testing.B) {
	at := time.Date(2026, 11, 26, 22, 0, 0, 0, time.UTC)
	buf := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		if len(Row(buf, at, 12345, 0.25)) != 31 {
			b.Fatal("a row of another length")
		}
	}
}
