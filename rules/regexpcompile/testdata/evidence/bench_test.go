package evidence

import "testing"

func BenchmarkValid(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if !Valid("tenant-4711") {
			b.Fatal("not valid")
		}
	}
}
