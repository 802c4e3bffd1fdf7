package evidence

import "testing"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range []string{"512B", "64 MiB", "1.5GB", "20000KiB"} {
			if _, err := Parse(s); err != nil {
				b.Fatal(err)
			}
		}
	}
}
