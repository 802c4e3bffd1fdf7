package evidence

import "testing"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if found, err := Parse("host = localhost; port = 8080;"); len(found) != 2 || err != nil {
			b.Fatal(found, err)
		}
	}
}
