package evidence

import "testing"

func BenchmarkGroup(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if len(Group(42)+Group(7_000)+Group(18_446_744_073_709_551_615)) != 33 {
			b.Fatal("wrong length")
		}
	}
}
