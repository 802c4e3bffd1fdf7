package equal

import (
	"fmt"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// said returns what f panics with.
func said(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

func TestSum(t *testing.T) {
	for wrong := -1; wrong < 4; wrong++ {
		x, y := make([]before.Page, 4), make([]after.Page, 4)
		for i := range x {
			x[i] = before.Page{ID: uint64(i) + 1000, Flags: uint16(i)}
			if i == wrong {
				x[i].ID++
			}
			y[i] = after.Page(x[i])
		}
		var n, m int
		a, b := said(func() { n = before.Sum(x) }), said(func() { m = after.Sum(y) })
		if a != b || n != m {
			t.Errorf("page %d wrong: %d and %q, then %d and %q", wrong, n, a, m, b)
		}
	}
}
