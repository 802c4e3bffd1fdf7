package evidence

import "testing"

var line string

func BenchmarkLine(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		line = Line("alice-0001", 12345)
	}
}
