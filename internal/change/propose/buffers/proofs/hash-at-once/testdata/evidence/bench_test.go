package evidence

import "testing"

var found int

func BenchmarkName(b *testing.B) {
	c := Cache{"x": 1}
	content := []byte("a short document")
	b.ReportAllocs()
	for b.Loop() {
		found = c.Find(content)
	}
}
