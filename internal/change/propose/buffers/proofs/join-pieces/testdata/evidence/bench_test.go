package evidence

import "testing"

var text string

func BenchmarkQuery(b *testing.B) {
	ranges := []Range{{"age", 18, 65}, {"height", 150, 210}, {"shoes", 1000, 4800}, {"id", 123456, 234567}}
	b.ReportAllocs()
	for b.Loop() {
		text = Where(ranges)
	}
}
