package equal

import (
	"fmt"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestTotal(t *testing.T) {
	for wrong := -1; wrong < 4; wrong++ {
		x, y := make([]before.Line, 4), make([]after.Line, 4)
		for i := range x {
			x[i] = before.Line{Amount: i, Price: 3}
			if i == wrong {
				x[i].Price = -1
			}
			y[i] = after.Line(x[i])
		}
		n, err := before.Total(x)
		m, other := after.Total(y)
		if n != m || fmt.Sprint(err) != fmt.Sprint(other) {
			t.Errorf("line %d wrong: %d and %v, then %d and %v", wrong, n, err, m, other)
		}
	}
}
