package evidence

import "testing"

var fields = []Field{{"host", "example.com"}, {"path", "/index.html"}, {"agent", "a browser"}, {"accept", "text/html"}, {"length", "117"}, {"cookie", "none"}}

func BenchmarkMarshal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if n := len(Marshal(fields)); n != 90 {
			b.Fatal(n)
		}
	}
}
