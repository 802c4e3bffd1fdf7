package evidence

import "testing"

func BenchmarkAdd(b *testing.B) {
	b.ReportAllocs()
	c := Counters{}
	for b.Loop() {
		if c.Add("requests", 1000) == 0 {
			b.Fatal("not counted")
		}
	}
}
