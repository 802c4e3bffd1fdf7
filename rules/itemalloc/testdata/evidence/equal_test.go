package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestLong(t *testing.T) {
	lines := []string{"", "info", "info a", "warn something longer", "x yz"}
	for n := range 20 {
		if b, a := before.Long(lines, n), after.Long(lines, n); a != b {
			t.Errorf("%d: %d, then %d", n, b, a)
		}
	}
}
