package evidence

import "testing"

func BenchmarkInc(b *testing.B) {
	b.ReportAllocs()
	c := NewCounter()
	n := int64(0)
	for b.Loop() {
		c.Inc()
		n++
	}
	if got := c.Sum(); got != n {
		b.Fatal(got, n)
	}
}
