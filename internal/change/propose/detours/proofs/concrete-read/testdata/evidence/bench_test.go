package evidence

import "testing"

var length int

func BenchmarkParse(b *testing.B) {
	data := []byte("\x00\x00\x00\x01identity and what follows")
	b.ReportAllocs()
	for b.Loop() {
		_, length, _ = Parse(data)
	}
}
