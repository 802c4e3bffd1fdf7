package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestGroup(t *testing.T) {
	for n := uint64(1); n != 0; n *= 7 {
		for _, n := range []uint64{0, n, n - 1, n + 1, ^n} {
			if a, b := before.Group(n), after.Group(n); a != b {
				t.Errorf("%d: %q, then %q", n, a, b)
			}
		}
		if n > 1<<61 {
			break
		}
	}
}
