package evidence

import "testing"

var (
	next func() (string, int)
	sum  int
)

func BenchmarkCounter(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		next = Counter("a bc")
		_, n := next()
		sum += n
	}
}
