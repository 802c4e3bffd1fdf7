package evidence

import "testing"

var text string

func BenchmarkKey(b *testing.B) {
	key := Key{"accounts", 11, 123456789, 0.75}
	b.ReportAllocs()
	for b.Loop() {
		key.Row++
		text = Text(key)
	}
}
