package evidence

import "testing"

func BenchmarkCount(b *testing.B) {
	var c Counter
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range []string{"first", "second", "third"} {
			if c.Count(name) == 0 {
				b.Fatal("not counted")
			}
		}
	}
}
