package evidence

import "testing"

func BenchmarkKeys(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Keys([]string{"17", "north"}); err != nil {
			b.Fatal(err)
		}
	}
}
