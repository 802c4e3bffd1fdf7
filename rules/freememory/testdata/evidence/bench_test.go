package evidence

import "testing"

// live is what the program keeps; a collection has to mark it.
var live [][]*int

func BenchmarkBatch(b *testing.B) {
	live = nil
	for range 1000 {
		row := make([]*int, 100)
		for i := range row {
			row[i] = new(int)
		}
		live = append(live, row)
	}
	for b.Loop() {
		Batch(func() []int { return make([]int, 1000) })
	}
}
