package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestTotal(t *testing.T) {
	for _, amounts := range [][]int{nil, {1}, {1, 2, 3}, {1, -2, 3}, {-1}} {
		s1, err1 := before.Total(7, amounts)
		s2, err2 := after.Total(7, amounts)
		if s1 != s2 || (err1 == nil) != (err2 == nil) || err1 != nil && err1.Error() != err2.Error() {
			t.Errorf("%v: %d %v, then %d %v", amounts, s1, err1, s2, err2)
		}
	}
}
