package evidence

import "testing"

func BenchmarkPipeline(b *testing.B) {
	b.ReportAllocs()
	lines := make([]string, 1000)
	for i := range lines {
		lines[i] = "info something happened"
	}
	for b.Loop() {
		if Long(lines, 5) != len(lines) {
			b.Fatal("a line is lost")
		}
	}
}
