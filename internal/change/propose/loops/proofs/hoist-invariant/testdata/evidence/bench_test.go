package evidence

import "testing"

func BenchmarkCount(b *testing.B) {
	names := make([]string, 64)
	for i := range names {
		names[i] = []string{"content-type", "accept", "host", "user-agent"}[i%4]
	}
	b.ReportAllocs()
	for b.Loop() {
		if Count(names, "Content-Type") != 16 {
			b.Fatal("wrong count")
		}
	}
}
