package evidence

import "testing"

func BenchmarkEscape(b *testing.B) {
	s := `GET /index.html HTTP/1.1 with a line that has "quotes" and goes on for a while after them`
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = Escape(buf[:0], s)
	}
}
