package evidence

import (
	"hash/fnv"
	"testing"
)

func BenchmarkSum(b *testing.B) {
	h := &Hasher{fnv.New64a()}
	labels := []Label{{"service", "a service of some name"}, {"instance", "10.0.0.1:9090"}, {"method", "GET"}, {"code", "200"}, {"path", "/api/v1/query_range"}}
	b.ReportAllocs()
	for b.Loop() {
		if h.Sum(labels) == 0 {
			b.Fatal("no sum")
		}
	}
}
