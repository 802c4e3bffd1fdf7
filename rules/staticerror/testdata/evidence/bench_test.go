package evidence

import "testing"

func BenchmarkParse(b *testing.B) {
	tokens := []string{"a", "b", ""}
	b.ReportAllocs()
	for b.Loop() {
		if Parse(tokens) == nil {
			b.Fatal("no error")
		}
	}
}
