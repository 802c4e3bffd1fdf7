package equal

import (
	"fmt"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	parts := []string{"", "0", "12", ".", "5", " ", "\t", "K", "Mi", "GiB", "B", "\n", "é", "\xff", "99999999999999999999"}
	var check func(s string, left int)
	check = func(s string, left int) {
		x, err := before.Parse(s)
		y, err2 := after.Parse(s)
		if fmt.Sprint(x, err) != fmt.Sprint(y, err2) {
			t.Errorf("%q: %v and %v, then %v and %v", s, x, err, y, err2)
		}
		if left > 0 {
			for _, p := range parts {
				check(s+p, left-1)
			}
		}
	}
	check("", 4)
}
