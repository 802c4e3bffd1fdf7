package evidence

import "testing"

var costs []int

func BenchmarkNearest(b *testing.B) {
	edges := make([][]Edge, 200)
	for i := range edges {
		for j := range 4 {
			edges[i] = append(edges[i], Edge{(i*7 + j*31) % len(edges), 1 + (i+j*5)%9})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		costs = Nearest(edges)
	}
}
