package evidence

import (
	"strconv"
	"testing"
)

func BenchmarkSum(b *testing.B) {
	prices := map[string]int{}
	var names []string
	for i := 0; i < 1000; i++ {
		names = append(names, "article number "+strconv.Itoa(i))
		prices[names[i]] = i
	}
	for b.Loop() {
		if Sum(names, prices) != 499500 {
			b.Fatal("wrong sum")
		}
	}
}
