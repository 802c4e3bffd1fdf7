package evidence

import (
	"io"
	"testing"
)

func BenchmarkSend(b *testing.B) {
	var s Sender
	message := make([]byte, 500)
	b.ReportAllocs()
	for b.Loop() {
		s.Send(message)
		if _, err := s.Flush(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
