package evidence

import (
	"strconv"
	"testing"
)

func BenchmarkNames(b *testing.B) {
	set := map[string]bool{}
	for i := range 100 {
		set["name"+strconv.Itoa(i)] = true
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Names(set)) != 689 {
			b.Fatal("a list of another length")
		}
	}
}
