package evidence

import (
	"strconv"
	"testing"
)

func BenchmarkMerge(b *testing.B) {
	defaults, set := map[string]int{}, map[string]int{}
	for i := range 100 {
		defaults["default"+strconv.Itoa(i)], set["set"+strconv.Itoa(i)] = i, i
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Merge(defaults, set)) != 200 {
			b.Fatal("wrong number of settings")
		}
	}
}
