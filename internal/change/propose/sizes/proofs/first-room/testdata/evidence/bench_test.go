package evidence

import "testing"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if l := Parse("listen 127.0.0.1 port 80 with gzip and without logs # as usual"); len(l.Words) != 8 {
			b.Fatal("wrong number of words")
		}
	}
}
