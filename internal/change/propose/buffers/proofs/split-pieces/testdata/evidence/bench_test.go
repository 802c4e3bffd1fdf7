package evidence

import "testing"

func BenchmarkOptions(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if name, known := Options("colour,omitempty,inline"); name != "colour" || known != 2 {
			b.Fatal("wrong options")
		}
	}
}
