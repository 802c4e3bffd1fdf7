package evidence

import "testing"

var words = []string{"a", "b", "c", "a", "d", "b", "e"}

var unique []string

func BenchmarkUnique(b *testing.B) {
	b.ReportAllocs()
	all := make([]string, len(words))
	for b.Loop() {
		copy(all, words)
		unique = Unique(all)
	}
}
