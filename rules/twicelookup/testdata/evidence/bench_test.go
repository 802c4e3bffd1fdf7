package evidence

import (
	"strconv"
	"testing"
)

func BenchmarkTotal(b *testing.B) {
	prices, names := map[string]int{}, []string(nil)
	for i := range 200 {
		name := "article " + strconv.Itoa(i)
		names = append(names, name)
		prices[name] = i
	}
	b.ReportAllocs()
	for b.Loop() {
		if Total(prices, names) != 19900 {
			b.Fatal("a wrong sum")
		}
	}
}
