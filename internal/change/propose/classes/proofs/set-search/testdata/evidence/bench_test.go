package evidence

import "testing"

var word string

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range []string{"level=info", "message=\"the request was served\"", "x-forwarded-for=10.0.0.1", "nothing"} {
			word = Word(line)
		}
	}
}
