package evidence

import "testing"

var stream *Stream

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		stream = Open("events", "/var/log")
		stream.Read("frame")
	}
}
