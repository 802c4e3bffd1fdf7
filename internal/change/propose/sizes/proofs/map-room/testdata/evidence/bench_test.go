package evidence

import "testing"

const text = "a map that is made without a size has room for eight entries at first and grows to twice as many slots " +
	"whenever seven in eight of them are used"

func BenchmarkCount(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if len(Count(text)) != 28 {
			b.Fatal(len(Count(text)))
		}
	}
}
