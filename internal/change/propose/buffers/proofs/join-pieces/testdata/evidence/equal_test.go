package equal

import (
	"math"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestWhere(t *testing.T) {
	columns := []string{"", "x", "a b", "päö", "\xff", "a column whose name is longer than an array on the stack has room for it"}
	bounds := []int{0, -1, 9, 100, math.MaxInt, math.MinInt}
	var old []before.Range
	var now []after.Range
	for i := 0; ; i++ {
		if x, y := before.Where(old), after.Where(now); x != y {
			t.Errorf("%d ranges: before %q, after %q", i, x, y)
		}
		if i == 20 {
			return
		}
		old = append(old, before.Range{Column: columns[i%len(columns)], Least: bounds[i%len(bounds)], Most: bounds[(i+3)%len(bounds)]})
		now = append(now, after.Range(old[i]))
	}
}
